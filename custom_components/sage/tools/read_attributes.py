"""The tools that return attribute values and the documentation of devices to the model.

They are the attribute and API documentation retrieval tools of the SAGE paper, section III-B.
"""

from typing import Final

import probatio
from homeassistant.helpers import llm

from ..agent import text_result
from ..home import PER, STATE, Measure, render_documentation, render_readings
from .sage_tool import READ_ONLY, Arguments, SageTool

_BEFORE: Final = "before"  # the measure for the values before the last change, whenever that was


class ReadAttributes(SageTool):
    """Reads attribute values of devices."""

    name = "sage__read_attributes"
    title = "Read"
    description = (
        "Read current values of devices, also texts not shown; with `measure` what they were."
    )
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {
            probatio.Required("devices", description="ids or groups"): [str],
            probatio.Optional("attributes", description="names of attributes; leave out for all"): [
                str
            ],
            probatio.Optional(
                "measure",
                description=(
                    "before: their values before the last change, and until when. Of a period: "
                    "duration, count (changes into it), first, last, changes of a state; min, max, "
                    "mean, difference of numbers; sum: what a meter counted"
                ),
            ): probatio.In([_BEFORE, *Measure]),
            probatio.Optional("state", description="the state that is asked, e.g. on"): str,
            probatio.Optional(
                "start", description="local time, 2026-03-09T00:00; leave out for all there is"
            ): str,
            probatio.Optional("end", description="the same; leave out for now"): str,
            probatio.Optional("per", description="one result for each"): probatio.In([*PER]),
        }
    )

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Return the attribute values of devices as text for the model.

        These are the current values, or with the argument `measure` those of the past. Raises
        HomeError for a device that the person may not read.
        """
        home, devices, attributes = self.situation.home, given["devices"], given.get("attributes")
        measure, notes = given.get("measure"), tuple[str, ...]()
        if measure == _BEFORE:
            readings = await home.async_read_earlier(
                devices, attributes or None, outcomes=self.situation.evidence.outcomes
            )
        elif measure:
            more = {name: given.get(name, "") for name in ("start", "end", "state", "per")}
            attribute = (attributes or [STATE])[0]
            readings, notes = await home.async_read_past(devices, measure, attribute, **more)
        else:
            readings = await home.async_read(devices, attributes or None)
        return text_result("\n".join((render_readings(readings), *notes)))


class ApiDocumentation(SageTool):
    """Returns the attributes, current values and commands of devices, from the running system."""

    name = "sage__api_documentation"
    title = "Read documentation"
    description = "Get the documentation of devices: attributes with current values, commands."
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {
            probatio.Required("devices", description="ids or groups"): [str],
            probatio.Optional(
                "capabilities", description="only these capabilities; leave out for all"
            ): [str],
        }
    )

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Return the documentation of devices as text for the model, with current values.

        Raises HomeError for a device that is unknown or that the person may not read.
        """
        documents = await self.situation.home.async_document(
            given["devices"], given.get("capabilities") or None
        )
        return text_result(render_documentation(documents))
