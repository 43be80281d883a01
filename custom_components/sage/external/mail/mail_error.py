"""The errors of mail servers, as sentences for the model."""

from ..external_error import ExternalError


class MailServerAwayError(ExternalError):
    """The server cannot be reached, or the connection broke."""

    def __init__(self, host: str) -> None:
        """Name the server."""
        super().__init__(
            f"The mail server {host} cannot be reached right now. Finish with `could_not` and "
            "say that it may work later."
        )


class SignInRefusedError(ExternalError):
    """The server does not accept the user name or the password."""

    def __init__(self, address: str) -> None:
        """Name the account."""
        super().__init__(
            f"The mail server does not accept the password of {address}. Finish with `could_not`: "
            "the person can enter a new app password in the settings of SAGE."
        )


class MailRefusedError(ExternalError):
    """The server refused a command and did not execute it."""
