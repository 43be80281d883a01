"""Radicale, a CalDAV server, as a process on loopback."""

import base64
import secrets
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path

from .loopback import ATTEMPTS, free_port, tied

_STRANGER = "identity"
"""Name of an account with a random password: only this server knows it."""

_COLLECTION = (
    '<mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><set><prop><resourcetype>'
    "<collection/><C:calendar/></resourcetype><displayname>{}</displayname></prop></set></mkcol>"
)


class RadicaleServer:
    """The server with an account for each person."""

    def __init__(
        self,
        folder: Path,
        passwords: Mapping[str, str],
        port: int = 0,
        *,
        is_tied: bool = False,
    ) -> None:
        """Start nothing yet. `passwords`: by the name of the account; port 0 takes a free one.

        `is_tied`: whether it ends with the thread that starts it.
        """
        self._is_tied = is_tied
        self._folder = folder
        self._passwords = {**passwords, _STRANGER: secrets.token_hex(16)}
        self._is_fixed = bool(port)
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None
        self._config = folder / "config"

    def _configure(self) -> None:
        folder = self._folder
        users = folder / "users"
        users.write_text("".join(f"{name}:{word}\n" for name, word in self._passwords.items()))
        self._config.write_text(
            f"[server]\nhosts = 127.0.0.1:{self._port}\n"
            f"[auth]\ntype = htpasswd\nhtpasswd_filename = {users}\n"
            "htpasswd_encryption = plain\ndelay = 0\n"
            f"[storage]\nfilesystem_folder = {folder / 'data'}\n"
            "[logging]\nlevel = error\n"
        )

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._port}/"

    def start(self) -> None:
        """Start it, and wait until it answers; on another port if a program took the first.

        Raises RuntimeError if it does not start.
        """
        for _ in range(1 if self._is_fixed else ATTEMPTS):
            # After a stop, it begins on the port that it had.
            self._port = self._port or free_port()
            if self._starts():
                return
            if not self._is_fixed:
                self._port = 0
        raise RuntimeError("Radicale did not start")

    def _starts(self) -> bool:
        self._configure()
        command = [sys.executable, "-m", "radicale", "--config", str(self._config)]
        self._process = subprocess.Popen(
            tied(command) if self._is_tied else command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while self._process.poll() is None:
            if self._answers():
                return True
            time.sleep(0.05)
        self._process = None
        return False

    def stop(self) -> None:
        """Stop it; the data stays."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def add_calendar(self, person: str, name: str, events: Mapping[str, str]) -> None:
        """Add a calendar with these iCalendar files by file name."""
        self._send("MKCOL", person, name, _COLLECTION.format(name))
        for file, event in events.items():
            self._send("PUT", person, f"{name}/{file}.ics", event, "text/calendar")

    def _send(
        self, method: str, person: str, path: str, body: str = "", kind: str = "application/xml"
    ) -> None:
        known = base64.b64encode(f"{person}:{self._passwords[person]}".encode()).decode()
        request = urllib.request.Request(
            f"{self.url}{person}/{path}",
            data=body.encode(),
            method=method,
            headers={"Authorization": f"Basic {known}", "Content-Type": kind},
        )
        with urllib.request.urlopen(request, timeout=30):
            pass

    def _answers(self) -> bool:
        """Return whether this server answers, and no other one that took the port."""
        try:
            self._send("PROPFIND", _STRANGER, "")
        except OSError, HTTPException:
            return False
        return True
