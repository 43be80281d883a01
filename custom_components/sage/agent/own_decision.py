"""Asks an agent's model for its tool calls again, without untrusted text in the prompt.

The result shows which tool calls the person's own words cause (`Run.async_asked_for`).
"""

from collections.abc import Sequence
from typing import Final

from ..model.language_model import ModelError
from ..text.fence import has_fence
from .decision import Call, DecisionError
from .loop import Agent
from .reply_reader import read_reply
from .run import Run
from .sampling import async_sample

_ALONE: Final = (
    "This reply executes nothing. It records what these words ask for, without any text from "
    "outside: call each command, change and look-up, and the search of the TV guide with "
    "`watch_on`, that they may ask for, even if it depends on such a text."
)
"""Last line of the prompt, which contains no untrusted text."""


async def async_own_calls(run: Run, agent: Agent, given: str) -> Sequence[Call]:
    """Return the tool calls that the agent's model decides for the input `given`.

    Only the person's own words can have caused these calls. Empty if the input contains untrusted
    text, or if the model fails.
    """
    if has_fence(given):
        return ()
    decision_format, prompt = run.settings.decision_format, agent.prompt(f"{given}\n{_ALONE}")
    try:
        reply = await async_sample(run, run.root, decision_format.request(prompt, ()))
        return read_reply(reply, decision_format, prompt.tools).decision().calls
    except DecisionError, ModelError:
        return ()
