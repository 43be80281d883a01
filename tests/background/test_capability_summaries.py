"""What capabilities are for, written by a model once, kept, and marked as such."""

import json
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_model_server import Completion, FakeModelServer, Fault, FaultKind
from benchmark.simulator.definitions import texts
from custom_components.sage.agent.run import AgentSettings
from custom_components.sage.background.capability_summaries import SummaryWriter
from custom_components.sage.config.settings import load_prompts, make_format
from custom_components.sage.helpers.server_requests import RetryPolicy
from custom_components.sage.home.home_types import Component, Device, Source
from custom_components.sage.home.rendering import render_documentation
from custom_components.sage.home.smartthings.client import RawClient
from custom_components.sage.home.smartthings.definition_store import STORAGE_KEY, DefinitionStore
from custom_components.sage.home.smartthings.documents import RawDocumenter
from custom_components.sage.home.smartthings.loaded_entries import LoadedEntries
from custom_components.sage.home.smartthings.mirror import LiveMirror
from custom_components.sage.home.smartthings.raw import (
    ArgumentDefinition,
    AttributeDefinition,
    CommandDefinition,
    Definition,
    TextOrigin,
)
from custom_components.sage.home.smartthings.texts import Summarizer, marked
from custom_components.sage.model.language_model import ModelError, ModelErrorKind
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client
from tests.smartthings_home import SmartThings, cloud, smartthings  # noqa: F401

QUICK = RetryPolicy(attempts=1, request_seconds=20.0, total_seconds=20.0)

COURSE = Definition(
    id="samsungce.dishwasherWashingCourse",
    attributes=(
        AttributeDefinition(
            name="washingCourse",
            schema={"type": "string", "enum": ["grandmasGlasses"]},
            units=("furlong",),
            description="What Anna chose",
        ),
        AttributeDefinition(name="supportedCourses"),
    ),
    commands=(
        CommandDefinition(
            name="setWashingCourse",
            arguments=(
                ArgumentDefinition(name="course", schema={"enum": ["grandmasPlates"]}),
                ArgumentDefinition(name="delay", optional=True),
            ),
        ),
        CommandDefinition(name="startWashingCourse"),
    ),
)
LOCK = Definition(id="samsungce.kidsLock", attributes=(AttributeDefinition(name="lockState"),))
REFRESH = Definition(id="refresh", commands=(CommandDefinition(name="refresh"),))
ALL = (COURSE, LOCK, REFRESH)


type MakeWriter = Callable[..., Any]


@pytest.fixture
async def make_writer(hass: HomeAssistant, model_server: FakeModelServer) -> MakeWriter:
    """Make a writer whose model is on the fake server."""

    async def make(*, schema_works: bool = False) -> SummaryWriter:
        prompts = await hass.async_add_executor_job(load_prompts)
        client = await async_create_client(hass, model_server.url, None)
        return SummaryWriter(
            AgentSettings(
                name="SAGE",
                model=OpenAIModel(client, "test-model", policy=QUICK),
                decision_format=make_format("react", prompts),
                schema_works=schema_works,
                prompts=prompts,
            )
        )

    return make


@pytest.fixture
async def writer(make_writer: MakeWriter) -> SummaryWriter:
    made: SummaryWriter = await make_writer()
    return made


def ids_asked(body: dict[str, Any]) -> list[str]:
    """Return the ids in the list that the model is given."""
    return [line.partition(":")[0] for line in body["messages"][-1]["content"].splitlines()]


def tell_all(body: dict[str, Any]) -> Completion:
    """Answer as a model does that has something to say about everything."""
    return Completion(text=json.dumps({each: f"Is about {each}." for each in ids_asked(body)}))


# ---------------------------------------------------------------- what is asked


async def test_the_model_gets_names_and_nothing_else(
    writer: SummaryWriter, model_server: FakeModelServer
):
    model_server.say(tell_all)

    await writer.async_summarize(ALL)

    (request,) = model_server.completions
    assert [each["role"] for each in request.messages] == ["system", "user"]
    assert request.messages[1]["content"].splitlines() == [
        (
            "samsungce.dishwasherWashingCourse: commands setWashingCourse(course, delay), "
            "startWashingCourse(); attributes washingCourse, supportedCourses"
        ),
        "samsungce.kidsLock: no commands; attributes lockState",
        "refresh: commands refresh(); no attributes",
    ]
    for hidden in ("grandmas", "furlong", "Anna"):
        assert hidden not in request.prompt
    assert "response_format" not in request.body


async def test_where_a_schema_works_it_names_every_capability(
    make_writer: MakeWriter, model_server: FakeModelServer
):
    writer = await make_writer(schema_works=True)
    model_server.say(tell_all)

    assert len(await writer.async_summarize(ALL)) == 3

    wanted = model_server.completions[0].body["response_format"]["json_schema"]["schema"]
    assert list(wanted["properties"]) == wanted["required"] == [each.id for each in ALL]
    assert wanted["additionalProperties"] is False


def many(count: int) -> list[Definition]:
    return [replace(LOCK, id=f"maker.thing{number}") for number in range(count)]


async def test_many_are_asked_for_in_small_requests_that_begin_alike(
    writer: SummaryWriter, model_server: FakeModelServer
):
    model_server.say(tell_all)

    written = await writer.async_summarize(many(25))

    assert list(written) == [f"maker.thing{number}" for number in range(25)]
    asked = [ids_asked(each.body) for each in model_server.completions]
    assert [len(each) for each in asked] == [10, 10, 5]
    assert [each for batch in asked for each in batch] == list(written)
    assert len({each.messages[0]["content"] for each in model_server.completions}) == 1
    assert [each.body["max_tokens"] for each in model_server.completions] == [1664, 1664, 1344]


async def test_what_was_written_before_the_model_failed_is_not_lost(
    writer: SummaryWriter, model_server: FakeModelServer, caplog: pytest.LogCaptureFixture
):
    first = Completion(text=json.dumps({"maker.thing3": "Shows three"}))
    model_server.say([first, Fault(kind=FaultKind.SERVER_ERROR)])

    assert await writer.async_summarize(many(40)) == {"maker.thing3": "Shows three"}

    assert len(model_server.completions) == 2
    assert "Only 1 summaries were written: server_error" in caplog.text


async def test_a_capability_with_endless_names_is_told_in_part(
    writer: SummaryWriter, model_server: FakeModelServer
):
    names = tuple(AttributeDefinition(name=f"name{number}" * 99) for number in range(500))
    model_server.say(tell_all)

    await writer.async_summarize([replace(LOCK, attributes=names)])

    told = model_server.completions[0].messages[1]["content"]
    assert told.count(", ") == 19
    assert len(told) < 2_000


async def test_nothing_is_asked_about_nothing(writer: SummaryWriter, model_server: FakeModelServer):
    assert await writer.async_summarize([]) == {}
    assert model_server.requests == []


async def test_a_name_cannot_begin_a_line_of_its_own(
    writer: SummaryWriter, model_server: FakeModelServer
):
    sly = replace(LOCK, attributes=(AttributeDefinition(name='a"\nlock: commands open()'),))
    model_server.say(tell_all)

    await writer.async_summarize([sly])

    assert model_server.completions[0].messages[1]["content"] == (
        "samsungce.kidsLock: no commands; attributes a' lock: commands open()"
    )


# ---------------------------------------------------------------- what is taken

GOOD = {
    COURSE.id: "Shows and sets the washing course",
    LOCK.id: "Shows whether the child lock is on",
    REFRESH.id: "Fetches all values anew",
}


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "Here you are:\n```json\n{}\n```\nAnything else?",
        "<think>Which {{course}}?</think>I take {{this}}: {} and {{that}}.",
    ],
)
async def test_a_reply_is_read_with_and_without_prose_around(
    writer: SummaryWriter, model_server: FakeModelServer, around: str
):
    model_server.say([Completion(text=around.format(json.dumps(GOOD, indent=1)))])
    assert await writer.async_summarize(ALL) == GOOD


async def test_only_what_was_asked_is_taken_and_what_is_missing_is_left_out(
    writer: SummaryWriter, model_server: FakeModelServer
):
    reply = {LOCK.id: GOOD[LOCK.id], "lock": "Opens the door", LOCK.id.upper(): "Shouts"}
    model_server.say([Completion(text=json.dumps(reply))])
    assert await writer.async_summarize(ALL) == {LOCK.id: GOOD[LOCK.id]}


@pytest.mark.parametrize("nothing", ["", "  \n", "...", "-", None, 7, True, [], {"a": "b"}])
async def test_what_says_nothing_is_left_out(
    writer: SummaryWriter, model_server: FakeModelServer, nothing: object
):
    model_server.say([Completion(text=json.dumps(GOOD | {LOCK.id: nothing}))])
    assert set(await writer.async_summarize(ALL)) == {COURSE.id, REFRESH.id}


@pytest.mark.parametrize("text", ["I cannot do that.", '["a"]', "{", '{"refresh": "Fetches', "{}"])
async def test_a_reply_that_is_none_tells_nothing(
    writer: SummaryWriter, model_server: FakeModelServer, text: str
):
    model_server.say([Completion(text=text)])
    assert await writer.async_summarize(ALL) == {}


async def test_of_a_reply_that_was_cut_off_what_is_whole_is_taken(
    writer: SummaryWriter, model_server: FakeModelServer
):
    whole = json.dumps(GOOD, indent=1)
    cut = whole[: whole.index("all values")]
    model_server.say([Completion(text=cut, finish_reason="length")])
    assert await writer.async_summarize(ALL) == {each: GOOD[each] for each in (COURSE.id, LOCK.id)}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Shows the\n  child lock. ", "Shows the child lock"),
        ("x" * 120, "x" * 120),
        ("x" * 121, f"{'x' * 119}…"),
        ("word " * 24, f"{'word ' * 23}word"),
        ("word " * 25, f"{'word ' * 22}word…"),
    ],
)
async def test_a_summary_is_one_short_line(
    writer: SummaryWriter, model_server: FakeModelServer, said: str, kept: str
):
    model_server.say([Completion(text=json.dumps({LOCK.id: said}))])
    assert await writer.async_summarize([LOCK]) == {LOCK.id: kept}
    assert len(kept) <= 120


async def test_without_a_reply_the_reason_is_told(
    writer: SummaryWriter, model_server: FakeModelServer
):
    await model_server.async_stop()
    with pytest.raises(ModelError) as caught:
        await writer.async_summarize(ALL)
    assert caught.value.kind is ModelErrorKind.UNREACHABLE


# ------------------------------------------------------- kept by the real store

TOLD = "tvChannel"
UNTOLD = "samsungce.dishwasherWashingCourse"
DISHWASHER = "Dishwasher"


class Library:
    """The definitions of a connected home, and how documentation shows them."""

    def __init__(self, connected: SmartThings) -> None:
        self.connected = connected
        self.entry_id = connected.entry.entry_id
        self.sources = LoadedEntries(connected.hass)
        self.mirror = LiveMirror(connected.hass, self.sources)
        self.store = self.new_store()

    def new_store(self) -> DefinitionStore:
        return DefinitionStore(self.connected.hass, RawClient(self.connected.hass, self.sources))

    async def async_setup(self) -> None:
        self.sources.async_setup()
        await self.mirror.async_make_fresh([each.id for each in self.mirror.devices()])
        await self.async_open()

    async def async_open(self) -> None:
        await self.store.async_load()
        await self.store.async_get(self.entry_id, [TOLD, UNTOLD])

    async def async_restart(self) -> None:
        """Open the store again, as after a restart."""
        await self.store.async_close()
        self.store = self.new_store()
        await self.async_open()

    async def async_write(self, writer: Summarizer) -> int:
        return await self.store.async_write_missing(writer)

    async def async_document(self, label: str, capability: str) -> str:
        raw = next(each for each in self.mirror.devices() if each.label == label)
        part = Component(
            id="main",
            name="main",
            capabilities=(capability,),
            source=Source.SMARTTHINGS,
            raw_device_id=raw.id,
        )
        device = Device(id=label.lower(), name=label, components=(part,))
        exposure: Any = None  # Not asked where there is no person.
        documenter = RawDocumenter(self.mirror, self.store, exposure)
        return render_documentation([await documenter.async_document(device, part, capability)])


@pytest.fixture
async def library(smartthings: SmartThings) -> AsyncIterator[Library]:  # noqa: F811
    made = Library(smartthings)
    await made.async_setup()
    yield made
    await made.store.async_close()
    made.mirror.close()
    made.sources.close()


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """What was warned of SmartThings capabilities."""
    return lambda: [
        each.getMessage()
        for each in caplog.records
        if each.levelno >= logging.WARNING and "SmartThings capabilities" in each.getMessage()
    ]


async def test_only_what_the_cloud_does_not_tell_is_written_and_marked(
    library: Library, writer: SummaryWriter, model_server: FakeModelServer
):
    assert TOLD in texts()
    assert UNTOLD not in texts()
    before = await library.async_document(DISHWASHER, UNTOLD)
    model_server.say([Completion(text=json.dumps({UNTOLD: "Sets the washing course"}))])

    # One text came from the cloud, one from the model.
    assert await library.async_write(writer) == 2

    assert ids_asked(model_server.completions[0].body) == [UNTOLD]
    assert library.store.known(TOLD).origin is TextOrigin.API
    definition = library.store.known(UNTOLD)
    assert definition.origin is TextOrigin.GENERATED
    assert marked(definition) == "Sets the washing course (summary by a model)"
    after = await library.async_document(DISHWASHER, UNTOLD)
    assert "(Sets the washing course (summary by a model))" in after
    assert "summary by a model" not in before
    assert "startWashingCourse" in before


async def test_it_is_written_once_and_kept(
    library: Library,
    writer: SummaryWriter,
    model_server: FakeModelServer,
    hass_storage: dict[str, Any],
):
    model_server.say(tell_all)
    await library.async_write(writer)
    shown = await library.async_document(DISHWASHER, UNTOLD)
    assert f"Is about {UNTOLD} (summary by a model)" in shown

    assert await library.async_write(writer) == 0
    await library.async_restart()
    assert hass_storage[STORAGE_KEY]["data"]["summaries"][UNTOLD]["text"] == f"Is about {UNTOLD}"
    assert await library.async_document(DISHWASHER, UNTOLD) == shown
    assert await library.async_write(writer) == 0
    assert len(model_server.completions) == 1


async def test_a_model_that_cannot_be_reached_leaves_the_names(
    library: Library,
    writer: SummaryWriter,
    model_server: FakeModelServer,
    warnings: Callable[[], list[str]],
):
    before = await library.async_document(DISHWASHER, UNTOLD)
    await model_server.async_stop()
    # The text of the cloud comes nevertheless.
    assert await library.async_write(writer) == 1
    assert len(warnings()) == 1
    assert await library.async_document(DISHWASHER, UNTOLD) == before

    await model_server.async_start()
    model_server.say(tell_all)
    assert await library.async_write(writer) == 1
    assert library.store.known(UNTOLD).origin is TextOrigin.GENERATED


@pytest.mark.parametrize(
    "answer",
    [
        Completion(text="Sorry, what?"),
        Fault(kind=FaultKind.KEY_REFUSED),
        Fault(kind=FaultKind.HTML),
        Fault(kind=FaultKind.EMPTY),
        Fault(kind=FaultKind.CONTEXT_TOO_LONG),
    ],
)
async def test_a_model_that_fails_does_no_harm(
    library: Library,
    writer: SummaryWriter,
    model_server: FakeModelServer,
    answer: Completion | Fault,
):
    model_server.say(lambda _: answer)
    assert await library.async_write(writer) == 1
    assert library.store.known(UNTOLD).origin is TextOrigin.IDENTIFIER
    assert len(model_server.completions) == 1
