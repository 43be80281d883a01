"""An answer reaches the person while it is written, each piece once."""

import pytest

from custom_components.sage.agent.decision import About, Finish
from custom_components.sage.agent.formats import NativeFormat
from custom_components.sage.agent.loop import AnswerStream
from custom_components.sage.agent.port import Delta
from custom_components.sage.agent.run import Run
from tests.agent.test_formats import make
from tests.port_events import events_of
from tests.run.test_run_registry import a_run


class Settings:
    """As much of the settings as streaming needs."""

    decision_format = NativeFormat("")


FIELDS = '"about": ["home"], "claims": [], '


class Check:
    """Lets an answer pass while it is written, or not."""

    def __init__(self, *, passes: bool = True) -> None:
        self.passes = passes
        self.asked: list[Finish] = []

    async def async_judge(self, finish: Finish) -> Finish | str:
        raise AssertionError(finish)

    is_answer_likely = True
    responses = 0
    only_asks = may_change = False

    def may_stream(self, finish: Finish) -> bool:
        self.asked.append(finish)
        return self.passes

    def may_speak(self, finish: Finish) -> bool:
        return "_" not in finish.answer


@pytest.fixture
async def run() -> Run:
    made = a_run()
    made.settings = Settings()  # type: ignore[assignment]
    return made


async def heard(run: Run) -> list[str]:
    return [event.text for event in await events_of(run.port) if isinstance(event, Delta)]


async def test_pieces(run: Run) -> None:
    check = Check()
    stream = AnswerStream(run, check)
    for piece in ('{"kind": "answ', f'ered", {FIELDS}"answer": " Yes. It ', "is. An", ' end."}'):
        stream.feed(piece)
    assert await heard(run) == ["Yes.", " It is."]
    assert run.unheard("Yes. It is. An end.") == " An end."
    assert [each.about for each in check.asked] == [{About.HOME}], "checked once"


async def test_answer_that_does_not_pass_waits(run: Run) -> None:
    stream = AnswerStream(run, Check(passes=False))
    stream.feed(f'{{"kind": "acted", {FIELDS}"answer": "The light')
    stream.feed(' is on."}')
    assert await heard(run) == []


async def test_an_answer_with_an_id_is_not_spoken_from_there_on(run: Run) -> None:
    stream = AnswerStream(run, Check())
    for piece in (f'{{"kind": "acted", {FIELDS}"answer": "Yes. The hall', "_lamp is", " on. It is"):
        stream.feed(piece)
    assert await heard(run) == ["Yes."]


@pytest.mark.parametrize(
    ("answer", "streamed"),
    [
        ("Ja! Es ist an.", "Ja!"),
        ("はい。ついています", "はい。"),
        ("Sí: está encendida", ""),
        ("It is 21.5 degrees", ""),
        ('He said "yes." And', 'He said "yes."'),
        ("One\\nTwo", "One"),
    ],
)
async def test_whole_sentences_are_streamed(run: Run, answer: str, streamed: str) -> None:
    stream = AnswerStream(run, Check())
    text = answer.replace('"', '\\"')
    for piece in f'{{"kind": "answered", {FIELDS}"answer": "{text}':
        stream.feed(piece)
    assert "".join(await heard(run)) == streamed


async def test_fields_that_cannot_be_read_wait(run: Run) -> None:
    stream = AnswerStream(run, Check())
    stream.feed('{"kind": "acted", "about": ["nonsense"], "answer": "The light is on."}')
    assert await heard(run) == []


async def test_second_reply_goes_on_where_the_first_broke_off(run: Run) -> None:
    for text in ("Yes. It", 'Yes. It is. So"}'):
        AnswerStream(run, Check()).feed(f'{{"kind": "answered", {FIELDS}"answer": "{text}')
    assert await heard(run) == ["Yes.", " It is."]


async def test_other_words_after_the_first_are_left_for_the_end(run: Run) -> None:
    for text in ("Yes. It", 'No. So"}'):
        AnswerStream(run, Check()).feed(f'{{"kind": "answered", {FIELDS}"answer": "{text}')
    assert await heard(run) == ["Yes."]
    assert run.unheard("No.") == " No."
    assert run.unheard("Yes. It is.") == " It is."


FINISH = f'{{"kind": "answered", {FIELDS}"answer": "The light is on. And more"}}'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("native", f"You could write {FINISH}"),
        ("native", f"Hello!\n{FINISH}"),
        ("native", f'{{"name": "finish", "arguments": {FINISH}}}'),
        ("native", f"<tool_call>{FINISH}"),
        ("constrained", f'Or: {{"actions": [{{"tool": "finish", "input": {FINISH}}}]}}'),
        ("react", f'{{"name": "undo"}}\nAction: finish\nAction Input: {FINISH}'),
        ("react", f"Action: undo\nAction Input: {FINISH}"),
    ],
)
async def test_what_may_be_refused_later_is_not_streamed(run: Run, name: str, text: str) -> None:
    run.settings.decision_format = make(name)  # type: ignore[misc]
    stream = AnswerStream(run, Check())
    for piece in text:
        stream.feed(piece)
    assert await heard(run) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("native", FINISH),
        ("constrained", f'{{"thought": "", "actions": [{{"tool": "finish", "input": {FINISH}}}]}}'),
        ("react", f"Thought: It is.\nAction: finish\nAction Input: {FINISH}"),
        ("react", f"**Action:** `finish`\n**Action Input:**\n```json\n{FINISH}\n```"),
    ],
)
async def test_answers_are_streamed_in_every_format(run: Run, name: str, text: str) -> None:
    run.settings.decision_format = make(name)  # type: ignore[misc]
    stream = AnswerStream(run, Check())
    for piece in text:
        stream.feed(piece)
    assert "".join(await heard(run)) == "The light is on."
