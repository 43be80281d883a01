"""The people of the demo home, and how they log in."""

import json
import secrets
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

FILE = "demo-accounts.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A login; `token` is a long-lived access token, empty until the home is seeded."""

    username: str
    name: str
    password: str
    admin: bool
    token: str = ""

    def with_token(self, token: str) -> Account:
        return replace(self, token=token)


def invent(password: str | None) -> tuple[Account, ...]:
    """Return the owner and a second person, with the given password or random ones."""
    return (
        Account(username="owner", name="Owner", password=password or _password(), admin=True),
        Account(username="alex", name="Alex", password=password or _password(), admin=False),
    )


def save(folder: Path, accounts: tuple[Account, ...]) -> None:
    """Write the accounts into the configuration folder, readable by its owner only.

    Another process that calls `load` at any time reads the old file or the whole new one.
    """
    part = folder / f"{FILE}.part"
    part.touch(mode=0o600)
    part.write_text(to_json(accounts), encoding="utf-8")
    part.replace(folder / FILE)


def load(folder: Path) -> tuple[Account, ...] | None:
    """Return the accounts of a folder that is seeded already, else None."""
    path = folder / FILE
    return from_json(path.read_text(encoding="utf-8")) if path.exists() else None


def to_json(accounts: tuple[Account, ...]) -> str:
    return json.dumps([asdict(account) for account in accounts])


def from_json(text: str) -> tuple[Account, ...]:
    rows: list[dict[str, Any]] = json.loads(text)
    return tuple(Account(**row) for row in rows)


def _password() -> str:
    return secrets.token_urlsafe(9)
