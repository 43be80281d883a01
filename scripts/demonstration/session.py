"""One session of the demo: start everything, talk or wait, stop everything."""

import asyncio
import json
import os
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmark.voice_servers import VoiceError

from . import changes, cloud_record, trace_tree
from .client import Client, HomeAssistantError, connected
from .configure import (
    NO_VOICE,
    SetUpError,
    preferred_pipeline,
    sage_entity,
    set_up_sage,
    use_photo_server,
)
from .happen import Happened, World
from .home_server import HomeDidNotStartError, HomeServer, home_folder, home_server
from .local_model import LocalModelError
from .model_choice import ModelChoiceError, ModelServer, from_environment
from .model_server import local_server
from .options import Options, Saying, Step
from .outside_servers import OutsideServers, outside_servers
from .outside_setup import connect_outside
from .photographs import add_photos
from .prefixes import prefixes_read
from .say import Said, Speaker
from .voice import connect_voice, voice_servers

type Result = Said | Happened

TROUBLE = (
    HomeAssistantError,
    HomeDidNotStartError,
    LocalModelError,
    ModelChoiceError,
    SetUpError,
    VoiceError,
)
"""Why a session does not take place; the message is for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A home that runs, with somebody to talk to in it."""

    home: HomeServer
    owner: Client
    pipeline: str
    outside: OutsideServers | None
    """None for another agent than SAGE, which does not use them."""

    @property
    def sent(self) -> tuple[str, ...]:
        """All mail that was sent, as lines for people."""
        return self.outside.sent() if self.outside is not None else ()


async def run(options: Options) -> int:
    """Return the exit code: 0 when every command did what it should."""
    async with staged(options) as stage:
        if not options.steps:
            await _stay_open(stage, options)
            return 0
        results = await _play(stage, options)
    if options.json_file:
        report = json.dumps([one.as_json() for one in results], indent=2, ensure_ascii=False)
        options.json_file.write_text(report + "\n", encoding="utf-8")
    return _judge(results)


@asynccontextmanager
async def staged(options: Options) -> AsyncGenerator[Stage]:
    """Start home and model, set SAGE up, and stop all of it afterwards."""
    start = time.monotonic()
    _tell(start, "Starting a home")
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(home_folder(options.keep))
        speech = await stack.enter_async_context(voice_servers()) if options.voice else None
        home, server, outside = await _started(options, folder, stack, start)
        owner = await stack.enter_async_context(connected(home.url, home.owner.token))
        front = server.front if server is not None else None
        if front is not None:
            _tell(start, "SAGE's set-up tests the model")
        agent = options.agent or await _sage(home, owner, server)
        if front is not None:
            front.is_set_up = True
        if outside is not None:
            await connect_outside(owner, outside)
            agent = await sage_entity(owner)
        if not options.agent:
            compares_photos = await _compare_photos(owner, options, start)
            if home.home.has_cloud:
                await add_photos(owner, home.folder, with_captions=not compares_photos)
        voice = await connect_voice(owner, speech, options.language) if speech else NO_VOICE
        pipeline = await preferred_pipeline(owner, agent, options.language, voice)
        if not options.agent:
            await prefixes_read(owner, start, front)
        _tell(start, f"{agent} is ready")
        yield Stage(home=home, owner=owner, pipeline=pipeline, outside=outside)


async def _sage(home: HomeServer, owner: Client, server: ModelServer | None) -> str:
    """Set SAGE up if need be; return its conversation entity."""
    try:
        if server is not None:
            await set_up_sage(owner, server)
        return await sage_entity(owner)
    except SetUpError as error:
        raise SetUpError(f"{home.last_words()}\n\n{error}") from error


async def _compare_photos(owner: Client, options: Options, start: float) -> bool:
    """Return whether the models server compares photos; if it cannot, say why."""
    if not options.photo_server:
        return False
    try:
        await use_photo_server(owner, options.photo_server, options.photo_model)
    except SetUpError as error:
        _tell(start, f"{error} SAGE compares the captions of the photos instead.")
        return False
    _tell(start, f"The server at {options.photo_server} compares the photos")
    return True


async def _started(
    options: Options, folder: Path, stack: AsyncExitStack, start: float
) -> tuple[HomeServer, ModelServer | None, OutsideServers | None]:
    """Start Home Assistant, the model and the servers outside the home side by side."""

    async def home() -> HomeServer:
        server = await stack.enter_async_context(
            home_server(folder, options.password, options.port, home=options.home)
        )
        _tell(start, f"Home Assistant runs at {server.url}")
        if not options.steps:
            _welcome(server, options)
        return server

    async def model() -> ModelServer | None:
        if options.agent:
            return None
        server = from_environment(os.environ)
        if server is None:
            server = await stack.enter_async_context(local_server())
        _tell(start, f"{server.model} answers at {server.base_url}")
        return server

    async def outside() -> OutsideServers | None:
        if options.agent:
            return None
        servers = outside_servers(folder, options.home.zone)
        return await stack.enter_async_context(servers)

    try:
        async with asyncio.TaskGroup() as group:
            home_task = group.create_task(home())
            model_task = group.create_task(model())
            outside_task = group.create_task(outside())
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return home_task.result(), model_task.result(), outside_task.result()


async def _play(stage: Stage, options: Options) -> list[Result]:
    """Say what is to be said and let happen what is to happen, in order."""
    token = stage.home.account(options.person).token
    has_cloud = stage.home.home.has_cloud
    results = []
    async with connected(stage.home.url, token) as person:
        speaker = Speaker(person, stage.owner, stage.pipeline, has_cloud=has_cloud)
        world = World(person, stage.owner, has_cloud=has_cloud)
        for step in options.steps:
            sent = stage.sent
            results.append(await _take(step, speaker, world, options))
            if new := stage.sent[len(sent) :]:
                _print_block("sent by mail", list(new))
            if options.new_conversation:
                speaker.begin_anew()
    return results


async def _take(step: Step, speaker: Speaker, world: World, options: Options) -> Result:
    if isinstance(step, Saying):
        print(f"\n{options.person}: {step.text}", flush=True)
        said = await speaker.say(step)
        _show_said(said)
        return said
    print(f"\n({step.event.story})", flush=True)
    happened = await world.happen(step)
    _show_happened(happened)
    return happened


def _welcome(home: HomeServer, options: Options) -> None:
    """Show how to log in, as soon as that is possible."""
    for account in home.accounts:
        print(f"  {account.name:<6} user name {account.username}, password {account.password}")
    if not options.agent:
        print("  You can log in now. SAGE follows when its model is ready.", flush=True)


async def _stay_open(stage: Stage, options: Options) -> None:
    print(f"\nSAGE is at home: {stage.home.url}")
    print("\nOpen Assist (the speech bubble at the top right) and try:")
    for text in stage.home.home.suggestions:
        print(f"  {text}")
    if options.voice:
        print("\nOr click on the microphone there, and say it.")
    print("\nCtrl-C stops everything.", flush=True)
    await asyncio.Event().wait()


def _show_said(said: Said) -> None:
    print(f"SAGE: {said.answer}   [{said.seconds:.1f} s]")
    if said.trace is not None:
        _print_block("trace", trace_tree.render(said.trace))
    _show_result(said)


def _show_happened(happened: Happened) -> None:
    if not happened.traces:
        print("SAGE asks." if happened.asks else "SAGE does nothing.")
    for trace in happened.traces:
        print(f"SAGE, of itself: {trace.get('command')}   [{happened.seconds:.1f} s]")
        print(f"SAGE: {trace.get('answer')}")
        _print_block("trace", trace_tree.render(trace))
    lines = [
        f"{one.way}: {' | '.join(filter(None, (one.title, one.text)))}"
        for one in happened.delivered
    ]
    _print_block("brought to the person", lines or ["nothing"])
    _show_result(happened)


def _show_result(result: Result) -> None:
    _print_block("changed in the home", changes.render(result.changes) or ["nothing"])
    if result.cloud is not None:
        received = cloud_record.render_received(result.cloud)
        _print_block("received by the SmartThings cloud", received or ["nothing"])
        changed = cloud_record.render_changed(result.cloud)
        _print_block("changed in the SmartThings cloud", changed or ["nothing"])
    for complaint in result.complaints:
        print(f"  ✗ {complaint}")
    if not result.complaints:
        print("  ✓ as it should be", flush=True)


def _print_block(title: str, lines: list[str]) -> None:
    print(f"  {title}")
    for line in lines:
        print(f"    {line}")


def _judge(results: list[Result]) -> int:
    print("\nseconds  command")
    for one in results:
        mark = "✗" if one.complaints else "✓"
        print(f"{one.seconds:7.1f}  {mark} {one.command}")
    failed = [one for one in results if one.complaints]
    for one in failed:
        print(f"Failed: {one.command!r}: {'; '.join(one.complaints)}.")
    return 1 if failed else 0


def _tell(start: float, text: str) -> None:
    print(f"[{time.monotonic() - start:5.1f} s] {text}", flush=True)
