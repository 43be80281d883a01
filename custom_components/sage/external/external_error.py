"""The error of all outside sources."""

from homeassistant.exceptions import HomeAssistantError


class ExternalError(HomeAssistantError):
    """An outside source cannot do this now; the text is a sentence for the model.

    It says what was wrong and how to fix it. It contains no text from outside and no password.
    """
