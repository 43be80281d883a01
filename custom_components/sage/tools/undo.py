"""The tool that undoes SAGE's changes."""

from functools import partial

import probatio
from homeassistant.helpers import llm

from ..agent import ActIntended, error_result, text_result
from ..home import HomeError, describe_for_model
from .sage_tool import WRITES, Arguments, SageTool


class Undo(SageTool):
    """Restores the states that devices had before the person's last command."""

    name = "sage__undo"
    title = "Put back"
    description = (
        "Put back what the person's last command in the home changed ('undo that', 'put it back'), "
        "or only some of its devices ('put the lamp back, but leave the TV': devices the lamp)."
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
        }
    )

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Restore the states and return the outcomes as text for the model.

        Permissions are checked as for other commands; a risky change needs a confirmation.
        """
        home = self.situation.home
        self.situation.run.record.add(ActIntended())
        try:
            outcomes = await home.async_undo(
                partial(self.situation.run.async_asked_for, partial(self.is_same_call, given)),
                only=given.get("devices") or (),
                leave=given.get("leave") or (),
            )
        except HomeError as err:
            return error_result(str(err))
        return text_result(describe_for_model(outcomes))
