"""Runs that can be repeated: recorded replies of a model, and workers of a Dask cluster."""

import json
from pathlib import Path

import openai
import pytest

from benchmark.__main__ import main
from benchmark.fake_model_server import Call, Completion, FakeModelServer, answer_obediently
from benchmark.model_script import Json
from benchmark.paper.recording import Recorder, Recording, blanked

pytestmark = pytest.mark.usefixtures("processes")

NAMES = ["bedside-light", "dishwasher-phase"]


async def async_ask(url: str, text: str) -> str:
    async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:
        reply = await client.chat.completions.create(
            model="test-model", messages=[{"role": "user", "content": text}]
        )
    return reply.choices[0].message.content or ""


def echo(body: Json) -> Completion:
    echo_calls.append(str(body["messages"][-1]["content"]))
    return Completion(text=f"{len(echo_calls)}: {echo_calls[-1]}")


echo_calls: list[str] = []


async def test_replies_are_given_again_by_case_and_request(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    echo_calls.clear()
    async with FakeModelServer(echo) as server:
        with Recorder(Recording(path), upstream=server.url) as recorder:
            url, other = recorder.url_of("a", 1), recorder.url_of("b", 1)
            said = [await async_ask(each, "Hello at 18:03") for each in (url, other, url)]
    assert said == ["1: Hello at 18:03", "2: Hello at 18:03", "3: Hello at 18:03"]

    with path.open("a", encoding="utf-8") as file:
        file.write('{"key": "cut')
    with Recorder(Recording(path)) as recorder:
        url, other = recorder.url_of("a", 1), recorder.url_of("b", 1)
        again = [await async_ask(each, "Hello at 18:04") for each in (other, url, url, url)]
        with pytest.raises(openai.NotFoundError, match="no reply to this request of a"):
            await async_ask(url, "Something else")
    assert again == [said[1], said[0], said[2], said[2]]


def test_random_ids_and_clock_times_do_not_count() -> None:
    text = "at 7:05 by 0b8e9a52-31b1-4a28-a2cf-3d4ad5a52a11 in 01JDH7Z4M2Q5W8X9Y3A6B7C8D9"
    assert blanked(text) == "at <time> by <id> in <id>"
    assert blanked("at 2026-11-24T18:03:22.082152-05:00, 2026-11-24T23:03Z") == "at <time>, <time>"
    assert blanked("lamp 2 at 40 %, channel 7") == "lamp 2 at 40 %, channel 7"


def gives_up(body: Json) -> Completion:
    """Try a lamp that does not exist, then say so; the probe gets what it asks for."""
    tools = {each["function"]["name"] for each in body.get("tools", [])}
    if not tools & {"execute_command", "read_attributes"}:
        return answer_obediently(body)
    if body["messages"][-1]["role"] != "tool":
        lamp = {"devices": ["lamp"], "command": "turn_on", "arguments": {}, "timing": "now"}
        return Completion(calls=[Call(name="execute_command", arguments=lamp)])
    finish = {"kind": "could_not", "answer": "I found no lamp.", "about": ["other"], "claims": []}
    return Completion(calls=[Call(name="finish", arguments=finish)])


@pytest.mark.slow
def test_two_replays_are_equal_byte_by_byte_in_any_order(tmp_path: Path) -> None:
    """The model is gone for the replays."""
    recording = tmp_path / "replies.jsonl"

    def run(number: int, *more: str) -> list[str]:
        path = tmp_path / f"{number}.jsonl"
        options = ["--method", "sage", "--model", "test-model", "--jobs", "2"]
        assert main(["run", *options, "--output", str(path), *more]) == 1
        return path.read_text(encoding="utf-8").splitlines()

    with FakeModelServer(gives_up) as server:
        cases = ("--cases", ",".join(NAMES))
        run(0, *cases, "--base-url", server.url, "--record", str(recording))
    first = run(1, *cases, "--replay", str(recording))
    second = run(2, "--cases", ",".join(NAMES[::-1]), "--replay", str(recording))

    assert first == second[::-1]
    assert [json.loads(each)["case"] for each in first] == NAMES
    assert all("I found no lamp." in each and '"calls": 2' in each for each in first)
