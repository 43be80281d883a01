"""One line on what a capability is for."""

from custom_components.sage.home.smartthings.raw import (
    AttributeDefinition,
    CommandDefinition,
    Definition,
    TextOrigin,
)
from custom_components.sage.home.smartthings.texts import (
    WrittenSummaries,
    marked,
    summary_from_identifier,
)


class Writer:
    """A model that writes the given texts and counts its calls."""

    def __init__(self, answer):
        self.answer = answer
        self.calls = []

    async def async_summarize(self, definitions):
        self.calls.append([each.id for each in definitions])
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def capability(name, *commands):
    return Definition(
        id=name,
        attributes=(AttributeDefinition(name="a"),),
        commands=tuple(CommandDefinition(name=each) for each in commands),
    )


def test_an_identifier_reads_like_words():
    assert summary_from_identifier("samsungce.dishwasherWashingCourse") == (
        "Dishwasher washing course"
    )
    assert summary_from_identifier("tvChannel") == "TV channel"
    assert summary_from_identifier("custom.launchapp") == "Launchapp"
    assert summary_from_identifier("123") == "123"


def test_only_what_a_model_wrote_is_marked():
    made = Definition(id="x", summary="Chooses a course", origin=TextOrigin.GENERATED)
    assert marked(made) == "Chooses a course (summary by a model)"
    assert marked(Definition(id="x", summary="A course", origin=TextOrigin.API)) == "A course"
    assert marked(Definition(id="x")) == ""


async def test_summaries_are_written_once_and_kept():
    changes = []
    written = WrittenSummaries(lambda: changes.append(1))
    writer = Writer({"x.one": 'Says "one".\nReally', "x.other": "never asked for"})
    one, two = capability("x.one", "go"), capability("x.two")

    assert await written.async_write([one, two], writer) == 1
    assert written.of(one) == "Says 'one'. Really"
    assert written.of(two) == ""
    assert changes == [1]

    assert await written.async_write([one, two], writer) == 0
    assert writer.calls == [["x.one", "x.two"]]

    again = WrittenSummaries(lambda: None)
    again.load(written.stored())
    assert again.of(one) == "Says 'one'. Really"
    assert again.of(capability("x.one", "go", "halt")) == ""


async def test_summary_of_a_changed_capability_is_replaced_and_kept():
    changes = []
    written = WrittenSummaries(lambda: changes.append(1))
    written.load({"x.one": {"of": "a go", "text": "Old"}})
    changed = capability("x.one", "go", "halt")
    assert await written.async_write([changed], Writer({"x.one": "New"})) == 1
    assert written.of(changed) == "New"
    assert changes == [1]


async def test_a_model_that_fails_or_talks_nonsense_leaves_the_names():
    one = capability("x.one")
    failing = WrittenSummaries(lambda: None)
    assert await failing.async_write([one], Writer(OSError("away"))) == 0
    talking = WrittenSummaries(lambda: None)
    assert await talking.async_write([one], Writer({"x.one": 7})) == 0
    assert talking.of(one) == ""

    endless = WrittenSummaries(lambda: None)
    await endless.async_write([one], Writer({"x.one": "word " * 100}))
    assert len(endless.of(one)) <= 121


def test_what_was_kept_wrongly_is_left_out():
    written = WrittenSummaries(lambda: None)
    written.load({"x.one": "text", "x.two": {"of": 1}, "x.three": {"of": "", "text": ""}})
    written.load("nonsense")
    assert written.stored() == {}
