"""The journal of sent mail: nothing is sent twice (crash-safe).

A row is written before the first byte of a message goes to the server, and completed when the
server has answered. A row that was not completed means that the result is not known.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from ...storage.async_file import AsyncFile, Executor
from ...storage.database import FileErrors, FileKind, StoreFile
from ...storage.recovery import SetAside
from ..external_error import ExternalError
from .letter import Letter

_KEPT: Final = timedelta(days=30)

_FIRST: Final = """
CREATE TABLE letters (
    message_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    recipients TEXT NOT NULL,
    subject TEXT NOT NULL,
    begun REAL NOT NULL,
    state TEXT NOT NULL,
    is_told INTEGER NOT NULL
) STRICT;
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""


class OutboxError(ExternalError):
    """The journal cannot be used, so nothing can be sent."""


class OutboxClosedError(OutboxError):
    """The file is closed."""


class CorruptOutboxError(OutboxError):
    """The file is damaged."""


class NewerOutboxError(OutboxError):
    """The file is from a newer version of SAGE."""


FILE: Final = FileKind(
    subject="journal of sent mail",
    errors=FileErrors(
        failed=OutboxError,
        closed=OutboxClosedError,
        corrupt=CorruptOutboxError,
        newer=NewerOutboxError,
    ),
    steps=(_FIRST,),
    counted="letters",
)


class SendState(StrEnum):
    """The state of a message."""

    SENDING = "sending"
    """Its bytes may be on their way; after a restart this is UNKNOWN."""
    SENT = "sent"
    """The server has accepted it."""
    REFUSED = "refused"
    """The server has not accepted it."""
    UNKNOWN = "unknown"
    """The answer of the server was lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownLetter:
    """A message that may have been sent."""

    message_id: str
    user_id: str
    recipients: str
    subject: str
    begun: datetime


class OutboxFile(StoreFile):
    """The open file."""

    kind = FILE

    def recover(self) -> None:
        """Store that the result of interrupted messages is unknown; delete old rows."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE letters SET state = ? WHERE state = ?",
                (SendState.UNKNOWN, SendState.SENDING),
            )
            self._delete_old(connection)

    def begin(self, letter: Letter, user_id: str, run_id: str) -> bool:
        """Write that a message is being sent; return False if this run may have sent it before."""
        with self._database.writing() as connection:
            if self._has(
                "run_id = ? AND digest = ? AND state != ?",
                (run_id, letter.digest, SendState.REFUSED),
            ):
                return False
            self._delete_old(connection)
            connection.execute(
                "INSERT INTO letters VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
                (
                    letter.message_id,
                    user_id,
                    run_id,
                    letter.digest,
                    ", ".join(letter.recipients),
                    letter.subject,
                    datetime.now(UTC).timestamp(),
                    SendState.SENDING,
                ),
            )
            return True

    def end(self, letter: Letter, state: SendState) -> None:
        """Write the result of a message."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE letters SET state = ? WHERE message_id = ?", (state, letter.message_id)
            )

    def may_be_sent(self, letter: Letter, user_id: str) -> bool:
        """Return whether an equal message of this person has an unknown result."""
        return self._has(
            "user_id = ? AND digest = ? AND state IN (?, ?)",
            (user_id, letter.digest, SendState.UNKNOWN, SendState.SENDING),
        )

    def untold(self) -> tuple[UnknownLetter, ...]:
        """Return the messages with an unknown result that were not reported to their sender yet."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT message_id, user_id, recipients, subject, begun FROM letters"
                " WHERE state = ? AND NOT is_told ORDER BY begun",
                (SendState.UNKNOWN,),
            )
            return tuple(
                UnknownLetter(
                    message_id=message_id,
                    user_id=user_id,
                    recipients=recipients,
                    subject=subject,
                    begun=datetime.fromtimestamp(begun, UTC),
                )
                for message_id, user_id, recipients, subject, begun in rows
            )

    def mark_told(self, message_id: str) -> None:
        """Note that the person knows that the result is not known."""
        with self._database.writing() as connection:
            connection.execute("UPDATE letters SET is_told = 1 WHERE message_id = ?", (message_id,))

    def forget(self, user_id: str) -> None:
        """Delete the rows of a person."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM letters WHERE user_id = ?", (user_id,))
            self._database.owe_scrub()
        self._database.scrub()

    def _delete_old(self, connection: Connection) -> None:
        """Delete rows after 30 days; call it in a transaction."""
        oldest = (datetime.now(UTC) - _KEPT).timestamp()
        if connection.execute("DELETE FROM letters WHERE begun < ?", (oldest,)).rowcount:
            self._database.owe_scrub()

    def _has(self, condition: str, values: tuple[str, ...]) -> bool:
        with self._database.reading() as connection:
            found = connection.execute(
                f"SELECT 1 FROM letters WHERE {condition}",  # noqa: S608 - constants only
                values,
            )
            return found.fetchone() is not None


class Outbox(AsyncFile[OutboxFile]):
    """The journal of all people."""

    def __init__(
        self,
        executor: Executor,
        path: Path,
        *,
        held: bool = False,
        noted: Callable[[SetAside], None],
    ) -> None:
        """Prepare; nothing is opened. `executor` is Home Assistant; `noted` gets a damaged file."""
        super().__init__(executor, path, OutboxFile, held=held, noted=noted)
        self._is_recovered = False

    async def async_forget(self, user_id: str) -> None:
        """Delete the rows of a person, also if their account is gone. Raises OutboxError."""
        if await self._executor.async_add_executor_job(self._path.exists):
            await self.async_run(OutboxFile.forget, user_id)

    async def async_load(self) -> None:
        """Complete the rows that a crash interrupted; before anything is sent."""
        if not self._is_recovered:
            await self.async_run(OutboxFile.recover)
            self._is_recovered = True
