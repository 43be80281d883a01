"""The mail accounts of one person."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MailAccount:
    """How to sign in to one mail account."""

    address: str


class Mailbox:
    """The mail accounts of one person."""

    def __init__(self, accounts: tuple[MailAccount, ...]) -> None:
        """Keep the accounts; nothing is connected yet."""
        self.accounts = accounts

    async def async_close(self) -> None:
        """Close all connections."""
