"""The base error of all external sources."""

from homeassistant.exceptions import HomeAssistantError


class ExternalError(HomeAssistantError):
    """An external source cannot execute a request; the text is a sentence for the model.

    The text says how to fix the request. It contains no untrusted text and no password.
    """
