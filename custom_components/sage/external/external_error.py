"""The base error of all external sources."""

from homeassistant.exceptions import HomeAssistantError


class ExternalError(HomeAssistantError):
    """A request to an external source failed; the text is a sentence for the model.

    The text says what to do. It contains no untrusted text and no password.
    """
