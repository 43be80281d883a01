"""Run the tests of the page: start the demo home with a scripted model, then Node's test runner.

`scripts/test_browser` calls it, with the paths of Node and Chromium in the environment. Arguments
replace those of Node: a script, or `--test` and some tests. `--first-hour` runs only the set-up
in a fresh home.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmark.fake_embedding_server import FakeEmbeddingServer
from benchmark.fake_model_server import FakeModelServer
from benchmark.mail_servers import PASSWORD, Dovecot, SmtpServer
from custom_components.sage.run.speakers import ENCODER
from scripts.demonstration.client import connected
from scripts.demonstration.configure import (
    leave_all_to_the_model,
    preferred_pipeline,
    sage_entity,
    set_up_sage,
)
from scripts.demonstration.furnished_homes import DEMO, HOMES
from scripts.demonstration.home_server import home_folder, home_server
from scripts.demonstration.model_choice import ModelServer

from .first_hour import async_first_hour
from .node import async_node
from .scripted_model import ScriptedModel

_MAIL_USERS: Final = ("owner", "alex")
_AUTOMATION: Final = """\
automation:
  - alias: Make a routine of the household
    triggers:
      - trigger: event
        event_type: make_household_routine
    actions:
      - action: sage.create_routine
        data:
          action: unlock the front door
          when: the hallway light is on
          code: |
            def light_is_on():
                return get_state("light.hallway_light") == "on"
"""
"""An automation has no user, so its routine belongs to the household."""

_RECORDER: Final = "recorder:\n  commit_interval: 1\n"
"""Records what was true in the last 24 hours."""


async def _async_page(arguments: Sequence[str]) -> int:
    """Run the tests of the page in the demo home; return their exit code."""
    with (
        FakeModelServer(ScriptedModel()) as model,
        home_folder(None) as folder,
        TemporaryDirectory() as mail,
        Dovecot(Path(mail), _MAIL_USERS, is_tied=True) as imap,
        SmtpServer(_MAIL_USERS) as smtp,
    ):
        configuration = HOMES[DEMO].configuration + _AUTOMATION + _RECORDER
        (folder / "configuration.yaml").write_text(configuration, encoding="utf-8")
        async with (
            home_server(folder, None, None) as home,
            connected(home.url, home.owner.token) as owner,
            FakeEmbeddingServer(models=[ENCODER]) as voices,
        ):
            server = ModelServer(base_url=model.url, api_key="none", model="test-model")
            await set_up_sage(owner, server)
            await leave_all_to_the_model(owner)
            agent = await sage_entity(owner)
            await preferred_pipeline(owner, agent, "en")
            facts = {
                "SAGE_TEST_URL": home.url,
                "SAGE_TEST_AGENT": agent,
                "SAGE_TEST_VOICES": voices.url,
                "SAGE_TEST_ACCOUNTS": json.dumps([asdict(each) for each in home.accounts]),
                "SAGE_TEST_MAIL": json.dumps(
                    {
                        "imap": imap.port,
                        "smtp": smtp.port,
                        "passwords": {each: PASSWORD.format(name=each) for each in _MAIL_USERS},
                    }
                ),
            }
            return await async_node(home, facts, *(arguments or ("--test", "--test-concurrency=1")))


async def main() -> int:
    """Return the exit code of the tests."""
    arguments = sys.argv[1:]
    code = 0 if arguments == ["--first-hour"] else await _async_page(arguments)
    if not arguments or arguments == ["--first-hour"]:
        for has_ai_task in (False, True):
            code = await async_first_hour(has_ai_task=has_ai_task) or code
    return code


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
