"""The trace of a run for its person: steps and costs (DESIGN 4)."""

from collections.abc import Sequence
from typing import Any

from homeassistant.core import HomeAssistant

from ..agent.port import End
from ..agent.run import Run
from ..agent.trace import TraceNode, model_calls, total_usage, usage_dict
from ..home.home_types import Outcome


def run_trace(
    run: Run, end: End, *, outcomes: Sequence[Outcome], reads: int = 0, is_silent: bool = False
) -> dict[str, Any]:
    """Return the trace of a finished run as JSON; without any text if `is_silent`.

    `reads` counts how often the home was read. Seconds are wall time.
    """
    calls = model_calls(run.root)
    root = TraceNode(kind="agent", name=run.root.name) if is_silent else run.root
    return {
        "id": run.id,
        "conversation_id": run.utterance.conversation_id,
        "command": "" if is_silent else run.utterance.text,
        "answer": "" if is_silent else end.text,
        "kind": end.kind.value,
        "seconds": round(run.root.seconds, 3),
        "model_seconds": round(sum(call.seconds for call in calls), 3),
        "model_calls": len(calls),
        "usage": usage_dict(total_usage(run.root)),
        "outcomes": [outcome.as_dict() for outcome in outcomes],
        "reads": reads,
        "root": root.as_dict(),
    }


async def async_has_person(hass: HomeAssistant, run: Run) -> bool:
    """Return whether the user still exists; nothing of a removed user may be stored."""
    user_id = run.person.user_id
    return user_id is None or await hass.auth.async_get_user(user_id) is not None
