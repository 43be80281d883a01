"""The ideal agent: SAGE with a scripted model that decides perfectly in each case.

Everything goes through SAGE and its tools, so that this also proves that each case can be solved.
"""

import json
from dataclasses import replace
from typing import Final

from ..fake_model_server import FakeModelServer
from ..model_script import Completion
from .home import PaperHome
from .ideal_scripts import IDEAL
from .ideal_scripts_unseen import IDEAL_UNSEEN
from .methods import MethodRecord, MethodSettings, Reply, Utterance
from .sage_method import SageMethod

_MODEL: Final = "ideal"
SCRIPTS: Final = {**IDEAL, **IDEAL_UNSEEN}
"""Id of a case -> the decisions."""


class IdealMethod:
    """SAGE, and a model server in this process with the script of the case."""

    def __init__(self, settings: MethodSettings) -> None:
        """Start the server."""
        self._server = FakeModelServer(models=(_MODEL,)).__enter__()
        self._sage = SageMethod(replace(settings, base_url=self._server.url, model=_MODEL))
        self._has_script = False

    async def async_set_up(self, home: PaperHome) -> None:
        """Set SAGE up, and give the server the script with the ids of this home."""
        await self._sage.async_set_up(home)
        if self._has_script:
            return
        self._has_script = True
        person = home.person(home.case.person)
        listing = await home.sage.runtime_data.home.of(person).async_listing()
        registry_ids = home.registry_ids()
        names = {
            key: device.id
            for device in listing.devices
            for key, registry_id in registry_ids.items()
            if registry_id in device.registry_ids
        }
        self._server.say([_named(each, names) for each in SCRIPTS[home.case.id]])

    async def async_say(self, home: PaperHome, said: Utterance) -> Reply:
        """Return the answer of SAGE."""
        return await self._sage.async_say(home, said)

    async def async_settle(self, home: PaperHome) -> None:
        """Wait for SAGE."""
        await self._sage.async_settle(home)

    async def async_close(self) -> None:
        """Stop the server."""
        self._server.__exit__()

    def record(self) -> MethodRecord:
        """Return the calls and traces of SAGE."""
        return self._sage.record()


def _named(completion: Completion, names: dict[str, str]) -> Completion:
    """Return a completion with `<light_bed>` replaced by the id that SAGE uses."""

    def put(text: str) -> str:
        for key, name in names.items():
            text = text.replace(f"<{key}>", name)
        return text

    calls = [
        replace(each, arguments=json.loads(put(json.dumps(each.arguments))))
        for each in completion.calls
    ]
    return replace(completion, text=put(completion.text), calls=calls)
