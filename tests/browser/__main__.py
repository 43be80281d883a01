"""Run the tests of the page: start the demo home with a scripted model, then Node's test runner.

`scripts/test_browser` calls it, with the paths of Node and Chromium in the environment. Arguments
replace those of Node: a script, or `--test` and some tests.
"""

import asyncio
import json
import os
import sys
from dataclasses import asdict
from typing import Final

from benchmark.fake_model_server import FakeModelServer
from scripts.demonstration.client import connected
from scripts.demonstration.configure import preferred_pipeline, sage_entity, set_up_sage
from scripts.demonstration.furnished_homes import DEMO, HOMES, ROOT
from scripts.demonstration.home_server import home_folder, home_server
from scripts.demonstration.model_choice import ModelServer

from .scripted_model import ScriptedModel

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


async def main() -> int:
    """Return the exit code of the tests."""
    with FakeModelServer(ScriptedModel()) as model, home_folder(None) as folder:
        configuration = HOMES[DEMO].configuration + _AUTOMATION
        (folder / "configuration.yaml").write_text(configuration, encoding="utf-8")
        async with (
            home_server(folder, None, None) as home,
            connected(home.url, home.owner.token) as owner,
        ):
            server = ModelServer(base_url=model.url, api_key="none", model="test-model")
            await set_up_sage(owner, server)
            agent = await sage_entity(owner)
            await preferred_pipeline(owner, agent, "en")
            facts = {
                "SAGE_TEST_URL": home.url,
                "SAGE_TEST_AGENT": agent,
                "SAGE_TEST_ACCOUNTS": json.dumps([asdict(each) for each in home.accounts]),
            }
            node = await asyncio.create_subprocess_exec(
                os.environ["SAGE_NODE"],
                *(sys.argv[1:] or ("--test", "--test-concurrency=1")),
                cwd=ROOT / "frontend",
                env=os.environ | facts,
            )
            code = await node.wait()
            if code:
                print(home.last_words(), file=sys.stderr)
            return code


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
