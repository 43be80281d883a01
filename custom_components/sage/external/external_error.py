"""The errors of all external sources; their texts are sentences for the model."""

from homeassistant.exceptions import HomeAssistantError


class ExternalError(HomeAssistantError):
    """A request to an external source failed; the text is a sentence for the model.

    The text says what to do. It contains no untrusted text and no password.
    """


class SignInRefusedError(ExternalError):
    """A mail server rejected the user name or the password."""

    def __init__(self, address: str) -> None:
        """Compose the error text with the address of the account."""
        super().__init__(
            f"The mail server does not accept the password of {address}. Finish with `could_not`: "
            "the person can enter a new app password in the settings of SAGE."
        )


def server_away(host: str) -> ExternalError:
    """Return the error for a mail server that cannot be reached, or closed the connection."""
    return ExternalError(
        f"The mail server {host} cannot be reached right now. Finish with `could_not` and say "
        "that it may work later."
    )
