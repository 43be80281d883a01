"""How long the page of SAGE takes to show its content, for a person with much of it.

Starts the demo home with a scripted model, adds switches until 1,000 entities are exposed, gives
the owner 10,000 memories and 500 commands, and four people 50 routines each, as many as a person
may have. Then opens each view in a headless browser that is signed in as the owner, and measures
the time to its first content: from the moment it is chosen (limit: 1.0 s), and when the browser
loads all of Home Assistant again. Needs what `scripts/test_browser` brings.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Final

import aiohttp

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Answer, Call, Completion, Json, answer_obediently
from scripts.demonstration.client import Client, connected
from scripts.demonstration.configure import sage_entity, set_up_sage
from scripts.demonstration.furnished_homes import ROOT
from scripts.demonstration.home_server import home_server
from scripts.demonstration.model_choice import ModelServer

LIMIT: Final = 1.0
_RELOADED: Final = "reloaded"


def _answer(body: Json) -> Answer:
    """Finish at once with a short answer."""
    tools = {tool["function"]["name"] for tool in body.get("tools") or ()}
    if "finish" not in tools or "Command " not in json.dumps(body["messages"][-1]):
        return answer_obediently(body)
    finish = {"kind": "answered", "about": ["other"], "claims": [], "answer": "That is noted."}
    return Completion(calls=(Call(name="finish", arguments=finish),))


async def _add_entities(owner: Client, entities: int) -> None:
    """Add switches until `entities` entities are exposed."""
    shown = await owner.call("sage/devices/list", data={"start": 0, "count": 1})
    created = [
        await owner.call("input_boolean/create", name=f"Lamp socket {number}")
        for number in range(entities - shown["exposed"])
    ]
    if created:
        await owner.call(
            "homeassistant/expose_entity",
            assistants=["conversation"],
            entity_ids=[f"input_boolean.{each['id']}" for each in created],
            should_expose=True,
        )


async def _add_routines(person: Client, watched: str, name: str, routines: int) -> None:
    """Let a person have routines that watch an entity."""
    for number in range(routines):
        await person.call(
            "sage/action",
            action="create_routine",
            data={
                "code": f"def is_on():\n    return get_state({watched!r}) == 'on'\n",
                "kind": "tell",
                "when": "the kitchen light is on",
                "action": f"tell me sentence {number} of {name}",
            },
        )


@asynccontextmanager
async def _new_person(owner: Client, url: str, name: str) -> AsyncGenerator[Client]:
    """Add a person to the home and connect as this person."""
    login = {"username": name, "password": f"password of {name}"}
    added = await owner.call("config/auth/create", name=name, group_ids=["system-users"])
    await owner.call(
        "config/auth_provider/homeassistant/create", user_id=added["user"]["id"], **login
    )
    client_id = f"{url}/"
    begin = {"client_id": client_id, "handler": ["homeassistant", None], "redirect_uri": client_id}
    flow = await owner.post("/auth/login_flow", begin)
    result = await owner.post(
        f"/auth/login_flow/{flow['flow_id']}", login | {"client_id": client_id}
    )
    form = {"grant_type": "authorization_code", "code": result["result"], "client_id": client_id}
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{url}/auth/token", data=form) as response,
    ):
        token = (await response.json())["access_token"]
    async with connected(url, token) as person:
        yield person


async def _fill(owner: Client, agent: str, memories: int, commands: int) -> None:
    for number in range(memories):
        text = f"On occasion {number} I said that I like song number {number}."
        await owner.call("sage/action", action="remember", data={"text": text})
    for number in range(commands):
        await owner.call(
            "conversation/process", text=f"Command {number}", agent_id=agent, language="en"
        )


def _browser() -> dict[str, str]:
    """Return the environment with the programs that drive a browser."""
    told = subprocess.run(
        [ROOT / "scripts/environment/browser"], check=True, capture_output=True, text=True
    ).stdout
    pairs = (word.partition("=") for word in told.removeprefix("export ").split())
    return os.environ | {name: value for name, _, value in pairs}


async def _measure(given: argparse.Namespace) -> dict[str, float]:
    """Return the seconds until the first content, by name of the view."""
    environment = _browser()
    with FakeModelServer(_answer) as model:
        async with (
            home_server(None, None, None) as home,
            connected(home.url, home.owner.token) as owner,
        ):
            await set_up_sage(owner, ModelServer(base_url=model.url, model="test-model"))
            agent = await sage_entity(owner)
            await _add_entities(owner, given.entities)
            await _fill(owner, agent, given.memories, given.commands)
            light = "light.kitchen_light"
            await _add_routines(owner, light, "Owner", given.routines)
            for name in ("ben", "cleo", "dora"):
                async with _new_person(owner, home.url, name) as person:
                    await _add_routines(person, light, name, given.routines)
            node = await asyncio.create_subprocess_exec(
                environment["SAGE_NODE"],
                "tests/first_paint.js",
                cwd=ROOT / "frontend",
                stdout=asyncio.subprocess.PIPE,
                env=environment
                | {
                    "SAGE_TEST_URL": home.url,
                    "SAGE_TEST_AGENT": agent,
                    "SAGE_TEST_ACCOUNTS": json.dumps([asdict(each) for each in home.accounts]),
                },
            )
            output, _ = await node.communicate()
            seconds: dict[str, float] = json.loads(output)
            return seconds


def main() -> int:
    """Print the figures; return 1 if one exceeds the limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.first_paint", description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--commands", type=int, default=500)
    parser.add_argument("--entities", type=int, default=1_000, help="exposed ones")
    parser.add_argument("--routines", type=int, default=50, help="of each of four people")
    seconds = asyncio.run(_measure(parser.parse_args()))
    for name, value in seconds.items():
        print(f"{name:20} {value:6.2f} s")
    print(json.dumps({"first_paint": seconds, "limit": LIMIT}))
    return int(any(value > LIMIT for name, value in seconds.items() if _RELOADED not in name))


if __name__ == "__main__":
    sys.exit(main())
