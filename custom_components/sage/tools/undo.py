"""The tool that undoes SAGE's changes."""

from functools import partial

import probatio
from homeassistant.helpers import llm

from ..agent import About, ActIntended, FinishKind, error_result, final_answer, text_result
from ..home import NoUndoError, describe_for_model
from .sage_tool import WRITES, Arguments, SageTool


class Undo(SageTool):
    """Restores the states that devices had before the person's last request."""

    name = "sage__undo"
    title = "Put back"
    description = (
        "Put back what the request before this one changed in the home ('undo that', 'put it "
        "back'), or only some of its devices ('put the lamp back, but leave the TV': devices the "
        "lamp)."
    )
    annotations = WRITES
    parameters = probatio.Schema(
        {
            probatio.Optional(
                "devices", description="names or ids of those to put back; leave out for all"
            ): [str],
            probatio.Optional(
                "leave", description="with all the others put back: those to leave as they are"
            ): [str],
        },
        extra=probatio.REMOVE_EXTRA,
    )

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Restore the states and return the outcomes as text for the model.

        Permissions are checked as for other commands; a risky change needs a confirmation. SAGE's
        code answers the person if nothing could be restored, and instead of small models.
        """
        situation = self.situation
        record, done = situation.run.record, tuple(situation.evidence.outcomes)
        record.add(ActIntended())
        try:
            outcomes = await situation.home.async_undo(
                partial(situation.run.async_asked_for, partial(self.is_same_call, given)),
                only=given.get("devices") or (),
                leave=given.get("leave") or (),
                done=done,
            )
        except NoUndoError as err:
            outcomes = tuple(outcome for outcome in done if outcome.is_put_back)
            if not outcomes:
                reason = situation.sentences.say(err.reason, devices=err.devices)
                is_final = err.is_final or record.has_failed("undo")
                answer = self._answer(FinishKind.COULD_NOT, reason) if is_final else None
                return answer or error_result(str(err))
        result = None
        if not any(outcome.is_done for outcome in outcomes):
            result = self._answer(FinishKind.COULD_NOT)
        elif situation.run.settings.misjudges_timing:
            result = self._answer(FinishKind.ACTED)
        return result or text_result(describe_for_model(outcomes))

    def _answer(self, kind: FinishKind, reason: str = "") -> llm.ToolResult | None:
        """Return the outcomes and `reason` as final answer; None if only the model can write it."""
        evidence, situation = self.situation.evidence, self.situation
        if evidence.changed_others or not situation.sentences.is_own_language:
            return None
        final = evidence.final_outcomes
        said = situation.say_outcomes(final) if final else ""
        answer = " ".join(filter(None, (said, reason)))
        return final_answer(kind, answer, About.HOME, tells_run=bool(final))
