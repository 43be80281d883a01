"""Lets the model compare an answer with the record of the run, in a separate model call."""

from collections.abc import Iterable, Iterator
from typing import Final

from ..agent.run import Run
from ..agent.sampling import async_sample
from ..home.commands.evidence import Evidence, Seen
from ..home.commands.outcome_observation import describe_for_model
from ..home.directory import render_index
from ..home.listing import Listing
from ..model.language_model import object_schema
from ..model.partial_json import first_object
from ..text.fence import fenced, has_fence
from ..tools.claimed_value import plain_name

_LONGEST_RESULT: Final = 1_000
"""Maximum length of a tool result in the prompt of a verification, in characters."""

_INDEX_TOKENS: Final = 600
"""Maximum length of the list of devices in this prompt; a longer one has only their numbers."""

_VERIFY_SCHEMA: Final = object_schema({"unproven": {"type": "array", "items": {"type": "string"}}})

_NOT_VERIFIED: Final = "The answer could not be verified. Say it in shorter words."


async def async_verify(run: Run, evidence: Evidence, listing: Listing, answer: str) -> list[str]:
    """Let the model compare an answer with the record of the run, in a separate model call.

    Return a sentence for each statement of the answer that this record does not prove.
    """
    request = run.settings.json_request(
        run.settings.prompts["verify_answer"],
        "\n".join([*_record_lines(run, evidence, listing), f"Answer: {answer}"]),
        schema=_VERIFY_SCHEMA,
    )
    reply = await async_sample(run, run.root, request)
    unproven = (first_object(reply.text) or {}).get("unproven")
    if not isinstance(unproven, list):
        return [_NOT_VERIFIED]
    # Some models write `[""]` or `["none"]` for an empty list.
    stated = [each for each in unproven if each and plain_name(str(each)) != "none"]
    return [f'"{each}": the record does not show it.' for each in stated]


def _record_lines(run: Run, evidence: Evidence, listing: Listing) -> Iterator[str]:
    yield "Commands executed in this request:"
    yield describe_for_model(evidence.final_outcomes) or "none"
    yield from (f"- {tool}: done" for tool in evidence.foreign)
    yield from (f"- {each.text}" for each in evidence.external_actions)
    yield "Values that were read:"
    yield from [_seen_line(each) for each in evidence.seen] or ["none"]
    yield "Set up or changed for later:"
    yield from [f"- {each}" for each in evidence.routines] or ["none"]
    yield f"Remembered or forgotten on request: {'yes' if evidence.memory_changed else 'no'}"
    yield "Results of other tools:"
    yield from [*_looked_up(run)] or ["none"]
    utterance = run.utterance
    if done := [each.done for each in utterance.earlier if each.done]:
        yield from ("Commands executed earlier in this conversation:", *done)
    yield from ("Devices of the home:", render_index(listing, _INDEX_TOKENS))
    yield from (f"Time: {utterance.now:%A %Y-%m-%d %H:%M}", "")
    yield f"The person said: {utterance.text}"


def _looked_up(run: Run) -> Iterator[str]:
    """Yield one line with the result of each successful tool call.

    For an agent-tool (a tool with its own tools), yield only the results of its own tools that
    contain untrusted text; the record of the run has the other results.
    """
    for node in run.root.children:
        inner = [child for child in node.children if child.kind == "tool"]
        shown = [child for child in inner if has_fence(child.result)] if inner else [node]
        for each in shown:
            if each.kind == "tool" and each.result and not each.error:
                yield f"- {each.name}: {each.result[:_LONGEST_RESULT]}"


def _seen_line(seen: Seen) -> str:
    """Return the values read from one device component as text; marks values that are untrusted."""

    def written(names: Iterable[str]) -> str:
        return ", ".join(f"{name} {seen.values[name][-1]}" for name in names)

    own = [name for name in seen.values if name not in seen.free_text]
    others = [name for name in seen.values if name in seen.free_text]
    line = f"- {seen.device_name} {seen.component_id}: {written(own)}"
    return f"{line}\n{fenced(written(others))}" if others else line
