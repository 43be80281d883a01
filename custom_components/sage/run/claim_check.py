"""Compares the model's final answer with the record of what the run did and read.

With each answer, the model declares its claims: device states, such as "hall lamp: on". If the
record (`Evidence`) does not prove the claims, the answer is corrected or replaced.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from ..agent.decision import About, ClaimResult, Finish, FinishKind
from ..agent.run import Run, Verdict, VerdictKind
from ..agent.sampling import async_sample
from ..home.commands.evidence import Evidence, ExternalActionKind, Seen
from ..home.commands.outcome_observation import describe_for_model
from ..home.commands.reading_text import say_seen
from ..home.home_types import DONE, HomeError, Outcome
from ..home.listing import Listing
from ..model.language_model import object_schema
from ..model.partial_json import first_object
from ..text.fence import fenced, has_fence
from ..text.plain_text import plain
from ..text.speech import Sentences
from ..tools.claimed_facts import NO_TERMS, Terms
from ..tools.claims import Comparison, compare

_LONGEST_RESULT: Final = 1_000
"""Maximum length of a tool result in the prompt of a verification, in characters."""

_VERIFY_SCHEMA: Final = object_schema({"unproven": {"type": "array", "items": {"type": "string"}}})


class AnswerCheck:
    """Compares the model's final answers with the record of what was done and read."""

    def __init__(
        self,
        run: Run,
        evidence: Evidence,
        sentences: Sentences,
        *,
        listing: Listing,
        say_outcomes: Callable[[Sequence[Outcome]], str],
        terms: Terms = NO_TERMS,
    ) -> None:
        """Create the check of the answers of `run`, whose commands and reads are in `evidence`.

        `listing` contains the devices to which claims may refer. `say_outcomes` returns a sentence
        about outcomes in the person's language. `terms`: names and units of values.
        """
        self._run = run
        self._evidence = evidence
        self._sentences = sentences
        self._listing = listing
        self._say_outcomes = say_outcomes
        self._terms = terms
        self._sent_back = False
        self._spoke_of_home = False
        """Whether an answer about the home was sent back."""

        self._was_reworded = False
        self.has_corrected = False
        """Whether code replaced the answer after the model had repeated unproven claims."""

    @property
    def is_answer_likely(self) -> bool:
        """Whether the model's next reply is probably its final answer.

        True if the run has already read or changed something.
        """
        return bool(self._evidence.seen) or not self._evidence.is_empty

    @property
    def responses(self) -> int:
        """Number of responses that actions have returned, such as the answer of a script."""
        return sum(bool(each.response) for each in self._evidence.outcomes)

    def may_stream(self, finish: Finish) -> bool:
        """Return whether the person may see the answer while the model still writes it.

        True if all of these conditions are true:

        - The answer is not a question.
        - The answer names its subjects (`Finish.about`).
        - The record of the run proves all claims of the answer.
        - No separate model call has to verify the answer.
        """
        is_final = finish.kind is not FinishKind.ASKED and bool(finish.about)
        return is_final and not self._needs_verification(finish) and not self._problems(finish)

    async def async_judge(self, finish: Finish) -> Verdict:
        """Return the verdict on a final answer: accept it, send it back, or replace it.

        - First answer that the record of the run does not prove: back to the model for a correction
        - Second such answer, or a text without the tool `finish`: replaced by a text that SAGE's
          code writes
        - First answer with technical names that are no ids of devices: back to the model
        - Other answers: accepted, with the names of devices instead of their ids
        """
        problems = self._problems(finish)
        if not problems and self._needs_verification(finish):
            problems = await self._async_verify(finish)
        if not problems:
            return self._worded(finish.answer)
        self._spoke_of_home = self._spoke_of_home or About.HOME in finish.about
        if self._sent_back or finish.is_unstructured:
            self.has_corrected = True
            return Verdict(VerdictKind.REPLACE, self._truth(finish))
        self._sent_back = True
        return Verdict(VerdictKind.SEND_BACK, self._objection(problems))

    def _needs_verification(self, finish: Finish) -> bool:
        """Return whether a separate model call has to compare the answer with the run's record.

        This is the option `verify_answers`. It is also necessary if the model only leaves `home`
        out of the subjects of an answer that was sent back: the words may still be about the home.
        The same is true for a text that the model wrote without naming its subjects.
        """
        is_relabelled = self._spoke_of_home and self._is_unknown(finish)
        return self._run.settings.verify_answers or is_relabelled or finish.is_unstructured

    def _is_unknown(self, finish: Finish) -> bool:
        """Return whether the answer is to a question, and the run has read and done nothing."""
        return finish.kind is FinishKind.ANSWERED and self._evidence.is_empty

    # ------------------------------------------------------------ technical names

    def _worded(self, answer: str) -> Verdict:
        """Return ACCEPT without technical names, or SEND_BACK for the first unknown one."""
        named = self._named(answer)
        ids = self.identifiers(named)
        if not ids:
            return Verdict(VerdictKind.ACCEPT, named)
        if self._was_reworded:
            for technical in ids:
                words = technical.rpartition(".")[2].split("_")
                named = named.replace(technical, " ".join(filter(None, words)))
            return Verdict(VerdictKind.ACCEPT, named)
        self._was_reworded = True
        return Verdict(VerdictKind.SEND_BACK, _IN_PLAIN_WORDS.format(", ".join(ids)))

    def _named(self, answer: str) -> str:
        """Return the answer with names of devices instead of their ids; drops ids in brackets."""
        for technical in sorted(self.identifiers(answer), key=len, reverse=True):
            with suppress(HomeError):
                found = self._listing.find(technical)
                name = (found.component or found.device).name
                in_brackets = rf"\s*[(\[](?:[\w ]+: *)?{re.escape(technical)}[)\]]"
                answer = re.sub(in_brackets, "", answer).replace(technical, name)
        return answer

    def identifiers(self, text: str) -> tuple[str, ...]:
        """Return the technical names in `text` that an answer must not contain, e.g. `light.hall`.

        Names that occur in the person's utterance or in device names are left out.
        """
        found = dict.fromkeys(_IDENTIFIER.findall(text))
        technical = [each for each in found if "_" in each or self._is_component(each)]
        listed = self._evidence.external_ids.intersection(_WORD.findall(text))
        # An id in `listed` always occurs in a text that was read, so that does not excuse it.
        return (
            *(each for each in technical if not self._is_said(each)),
            *sorted(each for each in listed if not self._is_named(each)),
        )

    def _is_component(self, text: str) -> bool:
        parts = (part for device in self._listing.devices for part in device.components)
        return any(part.id == text for part in parts)

    def _is_named(self, text: str) -> bool:
        names = (
            name
            for device in self._listing.devices
            for name in (device.name, *device.aliases, *(part.name for part in device.components))
        )
        return any(text in said for said in (self._run.utterance.text, *names))

    def _is_said(self, text: str) -> bool:
        written = (
            str(value)
            for seen in self._evidence.seen
            for name in seen.free_text
            for value in seen.values.get(name, ())
        )
        read = (*written, *self._evidence.external_texts)
        return self._is_named(text) or any(text in said for said in read)

    # ------------------------------------------------------------ claims beyond the record

    def _problems(self, finish: Finish) -> list[str]:
        """Return one sentence for each contradiction between the answer and the run's evidence."""
        compared = compare(finish.claims, self._evidence, self._listing, self._terms)
        return [
            *compared.problems,
            *self._unsupported(finish, compared),
            *self._concealed(finish, compared),
        ]

    def _unsupported(self, finish: Finish, compared: Comparison) -> Iterator[str]:
        """Yield a sentence for each subject of the answer that the run's record does not prove.

        The required proof depends on the kind of the answer (`FinishKind`).
        """
        match finish.kind:
            case FinishKind.ACTED:
                yield from self._not_acted(finish.about, compared)
            case FinishKind.ANSWERED:
                yield from self._not_known(finish)

    def _not_acted(self, about: frozenset[About], compared: Comparison) -> Iterator[str]:
        evidence = self._evidence
        if About.LATER in about and (evidence.unwatched or not evidence.routines):
            yield _NOTHING_LATER
        if About.MEMORY in about and not evidence.memory_changed:
            yield _NOTHING_KEPT
        if About.HOME in about and not (compared.has_acted or evidence.foreign):
            yield _NO_CLAIM if evidence.wrote else _NOTHING_DONE
        has_acted = evidence.foreign or any(
            each.kind is ExternalActionKind.DONE for each in evidence.external_actions
        )
        if about <= {About.OTHER, About.PERSON} and not has_acted:
            yield _ONLY_READ if evidence.external_texts else _NOTHING_DONE

    def _not_known(self, finish: Finish) -> Iterator[str]:
        evidence, about = self._evidence, finish.about
        listed = evidence.routines or evidence.routines_listed
        if About.LATER in about and (evidence.unwatched or not listed):
            yield _NOTHING_LATER
        if About.MEMORY in about and not (evidence.recalled or evidence.memory_changed):
            yield _NOTHING_RECALLED
        # Claims may be about values of the first prompt. Each wrong claim is a problem of its own.
        if About.HOME in about and not (evidence.read or evidence.wrote or finish.claims):
            yield _NOTHING_READ
        if self._is_missing_act(finish):
            yield _NOTHING_DONE

    def _is_missing_act(self, finish: Finish) -> bool:
        """Return whether the model planned an action in the home, but did and claims nothing."""
        did = self._evidence.wrote or self._evidence.routines or self._evidence.memory_changed
        return (
            self._run.act_intended and not did and About.HOME in finish.about and not finish.claims
        )

    def _concealed(self, finish: Finish, compared: Comparison) -> Iterator[str]:
        """Yield a sentence for each outcome that the answer must mention but does not."""
        hides_success = finish.kind in (FinishKind.COULD_NOT, FinishKind.ANSWERED)
        hides_failure = finish.kind is not FinishKind.COULD_NOT
        named = {id(each) for each in compared.claimed}
        for each in self._evidence.final_outcomes:
            is_hidden = hides_success if each.kind in DONE else hides_failure
            # The response of a script may be all that the person asked for.
            is_hidden = is_hidden and not (each.response and finish.kind is FinishKind.ANSWERED)
            if is_hidden and id(each) not in named:
                place = f"{each.device_id} {each.component_id}"
                yield f"{place}: {each.command} is `{each.kind}`, and no claim says so."
        asks = finish.kind is FinishKind.ASKED
        for action in self._evidence.external_actions:
            if action.kind is ExternalActionKind.DONE and hides_success:
                yield f"This was done, so the kind is `acted`: {action.text}"
            # Require the exact sentence, since code cannot interpret other words of the answer.
            if (
                action.kind is ExternalActionKind.UNKNOWN
                and plain(action.text) not in finish.answer
            ):
                yield f"The answer must contain this sentence: {action.text}"
        if self._evidence.routines and About.LATER not in finish.about and not asks:
            changed = " ".join(self._evidence.routines)
            yield f"The answer leaves out what was changed for later: {changed}"

    def _objection(self, problems: Sequence[str]) -> str:
        lines = ["That is more or other than the record shows:", *(f"- {p}" for p in problems)]
        if self._evidence.wrote:
            lines += ["The record:", describe_for_model(self._evidence.final_outcomes)]
        return "\n".join([*lines, _HOW_TO_FIX])

    # ------------------------------------------------------------ verification by the model

    async def _async_verify(self, finish: Finish) -> list[str]:
        """Let the model compare the answer with the record of the run, in a separate model call.

        Return a sentence for each statement of the answer that this record does not prove.
        """
        run = self._run
        request = run.settings.json_request(
            run.settings.prompts["verify_answer"], self._record_of(finish), schema=_VERIFY_SCHEMA
        )
        reply = await async_sample(run, run.root, request)
        unproven = (first_object(reply.text) or {}).get("unproven")
        if not isinstance(unproven, list):
            return [_NOT_VERIFIED]
        return [f'"{each}": the record does not show it.' for each in unproven]

    def _record_of(self, finish: Finish) -> str:
        evidence = self._evidence
        lines = ["Commands executed in this request:"]
        lines.append(describe_for_model(evidence.final_outcomes) or "none")
        lines += [f"- {tool}: done" for tool in evidence.foreign]
        lines += [f"- {each.text}" for each in evidence.external_actions]
        lines.append("Values that were read:")
        lines += [_seen_line(each) for each in evidence.seen] or ["none"]
        lines.append("Set up or changed for later:")
        lines += [f"- {each}" for each in evidence.routines] or ["none"]
        lines.append(
            f"Remembered or forgotten on request: {'yes' if evidence.memory_changed else 'no'}"
        )
        lines.append("Results of other tools:")
        lines += [*self._looked_up()] or ["none"]
        utterance = self._run.utterance
        if done := [each.done for each in utterance.earlier if each.done]:
            lines += ["Commands executed earlier in this conversation:", *done]
        lines += [f"Time: {utterance.now:%A %Y-%m-%d %H:%M}", ""]
        return "\n".join([*lines, f"The person said: {utterance.text}", f"Answer: {finish.answer}"])

    def _looked_up(self) -> Iterator[str]:
        """Yield one line with the result of each successful tool call.

        For an agent-tool (a tool with its own tools), yield only the results of its own tools that
        contain untrusted text; the record of the run has the other results.
        """
        for node in self._run.root.children:
            inner = [child for child in node.children if child.kind == "tool"]
            shown = [child for child in inner if has_fence(child.result)] if inner else [node]
            for each in shown:
                if each.kind == "tool" and each.result and not each.error:
                    yield f"- {each.name}: {each.result[:_LONGEST_RESULT]}"

    # ------------------------------------------------------------ sentences of the code

    def _truth(self, finish: Finish) -> str:
        """Return an answer that SAGE writes from the run's record, in the person's language."""
        evidence, say = self._evidence, self._sentences.say
        parts = [*evidence.routines]
        if evidence.wrote:
            parts = [
                self._say_outcomes(evidence.final_outcomes),
                *(each.text for each in evidence.external_actions),
                *parts,
            ]
        elif self._is_message:
            parts.append(self._run.utterance.text)
        elif not evidence.routines:
            parts += self._unchanged(finish)
        if About.LATER in finish.about and not (evidence.routines or evidence.routines_listed):
            parts.append(say("routine_not_made"))
        return " ".join(filter(None, parts)) or say("nothing_changed")

    @property
    def _is_message(self) -> bool:
        """Whether the run executes a routine whose stored command is a message for the person."""
        fired = self._run.utterance.routine
        return fired is not None and fired.tells

    def _unchanged(self, finish: Finish) -> Iterator[str]:
        """Yield the sentences of the answer for a run that sent no command and changed no routine.

        They say that nothing (or only the memory) was changed, or nothing looked up, and give the
        states that were read from the devices of the claims (see `Comparison.to_report`).
        """
        evidence, say = self._evidence, self._sentences.say
        places = compare(finish.claims, evidence, self._listing, self._terms).to_report
        seen = say_seen(self._sentences, evidence.seen, places)
        is_about_now = finish.about != {About.LATER}
        has_acted = finish.kind is FinishKind.ACTED and is_about_now
        if has_acted or any(each.result is not ClaimResult.READ for each in finish.claims):
            yield say("only_memory" if evidence.memory_changed else "nothing_changed")
        elif not seen and is_about_now and self._is_unknown(finish):
            yield say("nothing_looked_up")
        yield seen


def _seen_line(seen: Seen) -> str:
    """Return the values read from one device component as text; marks values that are untrusted."""

    def written(names: Iterable[str]) -> str:
        return ", ".join(f"{name} {seen.values[name][-1]}" for name in names)

    own = [name for name in seen.values if name not in seen.free_text]
    others = [name for name in seen.values if name in seen.free_text]
    line = f"- {seen.device_name} {seen.component_id}: {written(own)}"
    return f"{line}\n{fenced(written(others))}" if others else line


_IDENTIFIER: Final = re.compile(r"(?<![\w@/:.-])[a-z][a-z0-9]*(?:[._]+[a-z0-9]+)+(?![\w@/])")
"""A word in the form of an id, tool or attribute, such as `hall_lamp` or `light.hall`."""

_WORD: Final = re.compile(r"\w+")

_IN_PLAIN_WORDS: Final = (
    "The answer is right, but nobody knows what {} is: no ids, names of tools or error texts. "
    "Finish again with the same fields and the answer in plain words: devices by their names, "
    "messages by sender and subject."
)
_ONLY_READ: Final = (
    "Nothing was changed, only read. If the answer says what was read, repeat it with kind "
    "`answered`; else do what was asked for with a tool."
)
_NOTHING_DONE: Final = (
    "Nothing was changed in this request: no command was executed, nothing was set up for later, "
    "nothing was remembered or forgotten. Do what was asked for with a tool. If nothing had to be "
    "done, finish with `answered`; if it is not possible, with `could_not`."
)
_NO_CLAIM: Final = (
    "`acted` needs a claim for what was done: the devices, the result of their command, the state."
)
_NOTHING_LATER: Final = (
    "Nothing was set up for later in this request, so nothing will happen then. If something is to "
    "be done or told later, call `condition_polling`, with the function of "
    "`condition_code_writing` or a time; what is watched for is read with `routines`."
)
_NOTHING_KEPT: Final = "Nothing was remembered or forgotten in this request. Call `memory`."
_NOTHING_RECALLED: Final = (
    "Nothing was looked up, remembered or forgotten in this request. Call `personalization` or "
    "`memory`. If the answer rests on this conversation alone, leave `memory` out of `about`."
)
_NOTHING_READ: Final = (
    "The record does not show what the answer says about the home. Put its devices and values "
    "into `claims`, or call a tool that reads them. If it says nothing about the home, leave "
    "`home` out of `about`."
)
_NOT_VERIFIED: Final = "The answer could not be verified. Say it in shorter words."
_HOW_TO_FIX: Final = (
    "Do what is missing, or finish again with an answer and claims that say no more than the "
    "record. If it was not possible, finish with `could_not`."
)
