"""An answer reaches the person while it is written, each piece once."""

import pytest

from custom_components.sage.agent.answer_stream import AnswerStream, unheard
from custom_components.sage.agent.format_native import NativeFormat
from custom_components.sage.agent.port import Delta
from custom_components.sage.agent.run import Run
from tests.test_runs import a_run


class Settings:
    """As much of the settings as streaming needs."""

    decision_format = NativeFormat("")


@pytest.fixture
async def run() -> Run:
    made = a_run()
    made.settings = Settings()  # type: ignore[assignment]
    return made


def heard(run: Run) -> list[str]:
    """Return the pieces that were told."""
    events = run.port._events
    told = [events.get_nowait() for _ in range(events.qsize())]
    return [event.text for event in told if isinstance(event, Delta)]


async def test_pieces(run: Run) -> None:
    stream = AnswerStream(run)
    for piece in ('{"kind": "answ', 'ered", "answer": " Ye', "s, it", ' is."}'):
        stream.feed(piece)
    assert heard(run) == ["Ye", "s, it", " is."]
    assert run.streamed == "Yes, it is."


@pytest.mark.parametrize("kind", ["acted", "could_not", "asked"])
async def test_other_kinds_wait(run: Run, kind) -> None:
    AnswerStream(run).feed(f'{{"kind": "{kind}", "answer": "The light is on."}}')
    assert heard(run) == []


async def test_second_reply_goes_on_where_the_first_broke_off(run: Run) -> None:
    AnswerStream(run).feed('{"kind": "answered", "answer": "Yes, ')
    AnswerStream(run).feed('{"kind": "answered", "answer": "Yes, it is."}')
    assert heard(run) == ["Yes, ", "it is."]


async def test_other_words_after_the_first_are_left_for_the_end(run: Run) -> None:
    AnswerStream(run).feed('{"kind": "answered", "answer": "Yes, ')
    AnswerStream(run).feed('{"kind": "answered", "answer": "No."}')
    assert heard(run) == ["Yes, "]
    assert unheard(run, "No.") == " No."
    assert unheard(run, "Yes, it is.") == "it is."
