"""The planner for condition code: which devices to read, with their documentation."""

from collections.abc import Sequence
from typing import Any

from ...home.home_types import Device
from ...home.listing import Listing, find_all
from ...home.rendering import render_documentation
from ...text.words import content_words
from ..planner import CAPABILITIES, Plan, Planner, PlanStep, capabilities_of, known, missing_lines
from .condition_code import readable, reading_calls

_NO_DEVICE = (
    "Plan: no device fits. If the condition needs none (the time, the weather, the calendar), "
    "write it, else finish with `could_not`."
)


def bearer(listing: Listing, name: str, capabilities: Sequence[str]) -> str:
    """Return the only device with a similar name that has the capabilities, if this one has not.

    Small models name the lock "front_door" when they want to read its contact, which is another
    device: "front_door_contact".
    """
    wanted = set(capabilities)
    device = next((each for each in listing.devices if each.id == name), None)
    if device is None or not wanted or device.raw_components or _has(device, wanted):
        return name
    own = set(content_words(device.name))
    alike = [
        each.id
        for each in listing.devices
        if own <= set(content_words(each.name)) and _has(each, wanted)
    ]
    return alike[0] if len(alike) == 1 else name


def _has(device: Device, capabilities: set[str]) -> bool:
    return any(not capabilities.isdisjoint(each.capabilities) for each in device.components)


class ConditionPlanner(Planner):
    """Plans what a condition reads; the plan has no commands."""

    hint = (
        "It is a condition to be watched: only `read` steps, each with the `capabilities` that "
        "tell it, such as binary_sensor for a door that is open. The time, darkness, the weather "
        "and calendars are known without a device: no doubt there."
    )

    def step_fields(self, listing: Listing) -> dict[str, Any]:
        """Return the fields with capabilities; no doubt for small models, which do not end it."""
        fields = super().step_fields(listing) | {"capabilities": CAPABILITIES}
        if self.situation.shows_turns:
            del fields["doubt"]
        return fields

    def given(self, task: str) -> str:
        """Return only the condition: the action of the routine would mislead small models."""
        return self.situation.task_text(task, with_request=False)

    def _note_intent(self, steps: Sequence[PlanStep]) -> None:
        """Record no intended action: a condition only reads, whatever a step is called."""

    async def _async_render(self, listing: Listing, plan: Plan) -> str:
        lines: list[str] = []
        wanted: list[str] = []
        for step in plan.steps:
            names, problems = known(listing, step)
            names = [bearer(listing, name, step.capabilities) for name in names]
            wanted += names
            lines += [f"Note: {problem}" for problem in problems]
            # Of one device, the doubt is what its values are now, which misleads small models.
            if step.doubt and len(find_all(listing, names)) > 1:
                lines.append(f"Settle first, from the values if they tell: {step.doubt}")
        if not wanted:
            return "\n".join([_NO_DEVICE, *lines])
        lines += missing_lines(plan)
        if self.situation.run.settings.paper_flow:
            return "\n".join([f"Plan: read {', '.join(dict.fromkeys(wanted))}", *lines])
        documents = await self.situation.home.async_document(
            dict.fromkeys(wanted), capabilities_of(plan.steps)
        )
        shown = render_documentation(readable(documents))
        return "\n".join(
            [
                *lines,
                "What can be read, with the values of this moment:",
                shown,
                f"In the code: {reading_calls(documents, listing)}",
            ]
        )
