"""The errors of mail servers; their texts are sentences for the model."""

from ..external_error import ExternalError


class MailServerAwayError(ExternalError):
    """The mail server cannot be reached, or the connection broke."""

    def __init__(self, host: str) -> None:
        """Compose the error text with the name of the server."""
        super().__init__(
            f"The mail server {host} cannot be reached right now. Finish with `could_not` and "
            "say that it may work later."
        )


class SignInRefusedError(ExternalError):
    """The mail server rejected the user name or the password."""

    def __init__(self, address: str) -> None:
        """Compose the error text with the address of the account."""
        super().__init__(
            f"The mail server does not accept the password of {address}. Finish with `could_not`: "
            "the person can enter a new app password in the settings of SAGE."
        )


class MailRefusedError(ExternalError):
    """A request about mail is invalid, or the server refused it; nothing was done or sent."""
