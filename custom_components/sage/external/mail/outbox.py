"""The journal of sent mail, which prevents duplicates even after a crash.

SAGE writes a row before it sends a message, and completes the row after the server's answer. In an
incomplete row, the result is unknown.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from ...storage.async_file import AsyncFile, Executor, OnReplaced
from ...storage.database import FileKind, StoreFile
from ...storage.store_error import StoreError
from ..external_error import ExternalError
from .letter import Letter

_RETENTION: Final = timedelta(days=30)

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


class OutboxError(StoreError, ExternalError):
    """The journal of sent mail cannot be used, so no mail can be sent."""


FILE: Final = FileKind(
    subject="journal of sent mail",
    error=OutboxError,
    steps=(_FIRST,),
    counted="letters",
)


class SendState(StrEnum):
    """The state of an outgoing message."""

    SENDING = "sending"
    """The message is being sent; after a restart, the state becomes UNKNOWN."""
    SENT = "sent"
    """The server has accepted the message."""
    REFUSED = "refused"
    """The server has refused the message."""
    UNKNOWN = "unknown"
    """The server's answer was lost, so the message may have been sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownLetter:
    """A message with the state UNKNOWN: it may have been sent."""

    message_id: str
    user_id: str
    recipients: str
    subject: str
    begun: datetime


class OutboxFile(StoreFile):
    """The open SQLite file of the journal of sent mail, with one row for each message."""

    kind = FILE

    def recover(self) -> None:
        """Change the state of interrupted messages from SENDING to UNKNOWN; delete old rows.

        Call this once after each start of SAGE, before any other method of this class.
        """
        with self._database.writing() as connection:
            connection.execute(
                # SENDING at a start means that a crash or a restart has interrupted the sending.
                "UPDATE letters SET state = ? WHERE state = ?",
                (SendState.UNKNOWN, SendState.SENDING),
            )
            self._delete_old(connection)

    def begin(self, letter: Letter, user_id: str, run_id: str) -> bool:
        """Record that the sending of a message begins; return whether sending is allowed.

        `run_id`: id of the run, the processing of one request of the person. Records nothing and
        returns False if an identical message was sent, or may have been sent, in this run.
        """
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
        """Record the result of sending a message: SENT, REFUSED or UNKNOWN."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE letters SET state = ? WHERE message_id = ?", (state, letter.message_id)
            )

    def may_be_sent(self, letter: Letter, user_id: str) -> bool:
        """Return whether an earlier attempt to send an identical message has an unknown result.

        - True: the server has not answered yet, or its answer was lost. The message may have been
          sent, so warn the person before another attempt.
        - False: the result of each attempt of this person is known, or there was no attempt.
        """
        return self._has(
            "user_id = ? AND digest = ? AND state IN (?, ?)",
            (user_id, letter.digest, SendState.UNKNOWN, SendState.SENDING),
        )

    def unreported(self) -> tuple[UnknownLetter, ...]:
        """Return the messages with an unknown result that SAGE has not reported to their sender."""
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

    def mark_reported(self, message_id: str) -> None:
        """Record that the sender was informed about the unknown result of a message."""
        with self._database.writing() as connection:
            connection.execute("UPDATE letters SET is_told = 1 WHERE message_id = ?", (message_id,))

    def forget(self, user_id: str) -> None:
        """Delete the rows of a person, and erase their bytes from the file."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM letters WHERE user_id = ?", (user_id,))
            self._database.owe_scrub()
        self._database.scrub()

    def _delete_old(self, connection: Connection) -> None:
        """Delete rows older than 30 days; call this in a transaction."""
        oldest = (datetime.now(UTC) - _RETENTION).timestamp()
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
    """Asynchronous access to the journal of sent mail; all people share one journal."""

    def __init__(
        self,
        executor: Executor,
        path: Path,
        *,
        held: bool = False,
        on_replaced: OnReplaced,
    ) -> None:
        """Store the path; the file is opened by the first call.

        `executor`: the Home Assistant object. `held`: True if a backup is copying the file,
        which must not change meanwhile. `on_replaced`: called after a damaged file was renamed.
        """
        super().__init__(executor, path, OutboxFile, held=held, on_replaced=on_replaced)
        self._is_recovered = False

    async def async_forget(self, user_id: str) -> None:
        """Delete the rows of a person. Raises OutboxError."""
        if await self._executor.async_add_executor_job(self._path.exists):
            await self.async_run(OutboxFile.forget, user_id)

    async def async_load(self) -> None:
        """Prepare the journal of sent mail; call this before each use of the journal.

        Does nothing after the first success. Raises OutboxError if the file cannot be used.
        """
        if not self._is_recovered:
            await self.async_run(OutboxFile.recover)
            self._is_recovered = True
