"""Compares the model's final answer with the record of what the run did and read.

With each answer, the model declares its claims: device states, such as "hall lamp: on". If the
record (`Evidence`) does not prove the claims, the answer is corrected or replaced.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from ..agent import About, ClaimResult, Finish, FinishKind, Wasted
from ..home import (
    AnswerWords,
    Comparison,
    HomeError,
    Listing,
    Outcome,
    OutcomeKind,
    RunEventKind,
    describe_for_model,
)
from ..model import ModelError
from ..text import plain, words
from ..tools import Situation
from .code_answer import NO_ACT, CodeAnswer, labelled

_FAILED: Final = frozenset({OutcomeKind.NOT_CONFIRMED, OutcomeKind.REFUSED, OutcomeKind.FAILED})


class AnswerCheck:
    """Compares the model's final answers with the record of what was done and read."""

    def __init__(self, situation: Situation, listing: Listing) -> None:
        """Check answers; `listing` has the devices that claims may mean."""
        self._situation = situation
        self._run = run = situation.run
        self._evidence = evidence = situation.evidence
        self._words = AnswerWords(
            situation.hass,
            situation.sentences,
            run.utterance,
            evidence,
            listing,
            situation.home.synonyms,
        )
        self._refused: Finish | None = None  # the answer that was sent back because of its claims
        fired = run.utterance.routine
        self._message = plain(run.utterance.text) if fired is not None and fired.tells else None
        self._code = CodeAnswer(situation, self._words, self._message)
        self._right: str | None = None  # an answer that lacked only its technical names, without
        self._asked_at = run.port.asked_at  # last question after which values were read again
        self._told: set[str] = set()  # failed commands, spoken before a model's question
        self.only_asks = False
        """Whether an answer was sent back whose request only asks: no tool may act any more."""

        self.has_corrected = False
        """Whether code replaced the answer after the model had repeated unproven claims."""

    @property
    def is_answer_likely(self) -> bool:
        """Whether the next reply is probably final: something was already read or changed."""
        return bool(self._evidence.seen) or not self._evidence.is_empty

    @property
    def may_change(self) -> bool:
        """Whether something was changed, or the model wanted to change something."""
        evidence = self._evidence
        has_tried = evidence.wrote or evidence.has_changed or evidence.unwatched
        # An action outside the home may have been refused before it began.
        has_tried = has_tried or any(each.has_acted for each in self._run.record.all(Wasted))
        return self._message is not None or has_tried or self._run.wants_to_act

    @property
    def responses(self) -> int:
        """Number of responses that actions have returned, such as the answer of a script."""
        return sum(bool(each.response) for each in self._evidence.outcomes)

    def may_stream(self, finish: Finish) -> bool:
        """Return whether the person may see the answer while the model still writes it.

        - The answer is not a question.
        - The answer names its subjects (`Finish.about`).
        - The record of the run proves all claims of the answer.
        - No command failed, and all values are as they were before a question to the person.
        - No separate model call has to verify the answer.
        """
        is_final = finish.kind is not FinishKind.ASKED and bool(finish.about)
        is_known = not self._failed and self._asked_at == self._run.port.asked_at
        if not is_final or not is_known:
            return False
        compared = self._words.compared(finish.claims)
        return not self._problems(finish, compared) and not self._is_unsure(finish, compared)

    def may_speak(self, finish: Finish) -> bool:
        """Return whether the words so far of a streamed answer need no check of their own."""
        return not (
            self._words.identifiers(finish.answer)
            or self._names_others(finish)
            or self._is_example(finish)
            or (self._run.settings.shows_turns and self._certain(finish) is not finish)
        )

    async def async_judge(self, finish: Finish) -> Finish | str:
        """Return the final answer for the person, or an objection for the model.

        - Commands failed, the claims do not deny it, and the answer is about nothing else: replaced
          by the outcomes of the commands
        - An answer to a question that the record of the run does not prove: replaced by what was
          read in the devices that it means
        - First other answer that the record does not prove: back to the model for a correction
        - Second such answer, or a text without the tool `finish`: replaced by a text that SAGE's
          code writes
        - First answer with technical names that are no ids of devices: back to the model
        - Other answers: accepted, with the names of devices instead of their ids, and with the
          outcomes of failed commands
        """
        if self._asked_at != self._run.port.asked_at:
            self._asked_at = self._run.port.asked_at
            await self._situation.home.async_read_again(tuple(self._evidence.seen))
        # Each of these may take milliseconds for hundreds of devices.
        await asyncio.sleep(0)
        is_repeated = self._refused is not None
        compared = self._words.compared(finish.claims, is_repeated=is_repeated)
        if compared.problems and (unread := compared.unread):
            with suppress(HomeError):
                await self._situation.home.async_read(unread)
            compared = self._words.compared(finish.claims, is_repeated=is_repeated)
        await asyncio.sleep(0)
        calls_it_done = finish.kind is FinishKind.ACTED
        if self._refused is None:
            finish = labelled(finish, compared, self._evidence)
        problems = self._problems(finish, compared)
        await asyncio.sleep(0)
        if self._failed and self._is_about_commands(finish) and not compared.problems:
            return self._with_truth(finish)
        if not problems and (self._is_unsure(finish, compared) or self._names_others(finish)):
            try:
                is_new = self._refused is None and self._only_asks(finish)
                problems = await self._words.async_verify(self._run, finish, may_be_talk=is_new)
            except ModelError:
                # What cannot be verified is not spoken; a model that is away corrects nothing.
                return self._replaced(finish)
            if problems and About.HOME in finish.about and not finish.claims:
                problems.append(_NOTHING_READ)
        if not problems:
            await asyncio.sleep(0)
            is_small = self._run.settings.shows_turns
            return self._worded(self._certain(finish, calls_it_done) if is_small else finish)
        only_asks = self._only_asks(finish)
        may_tell = only_asks and not self._has_more
        is_told = may_tell and self._code.said_seen(finish, is_question=True) != ""
        if self._refused is not None or finish.is_unstructured or is_told:
            return self._replaced(finish)
        self._refused, self.only_asks = finish, only_asks
        return self._objection(problems)

    def _only_asks(self, finish: Finish) -> bool:
        """Return whether the request only asks, as far as the model's decisions show."""
        only_read = all(claim.result in NO_ACT for claim in finish.claims)
        return finish.kind is FinishKind.ANSWERED and only_read and not self.may_change

    def _certain(self, finish: Finish, calls_it_done: bool = False) -> Finish:
        """Return a small model's answer about commands, or about values only, as code knows it.

        The claims of an answer may be right while its words say more.
        """
        if (
            finish.kind is FinishKind.ACTED
            and self._evidence.final_outcomes
            and self._is_about_commands(finish)
        ):
            return self._with_truth(finish)
        is_alone = finish.about <= {About.HOME, About.OTHER} and not self._has_more
        is_read = is_alone and bool(finish.claims) and self._only_asks(finish)
        return self._code.certain(finish, calls_it_done) if is_read else finish

    def _replaced(self, finish: Finish) -> Finish:
        self.has_corrected = True
        return self._with_truth(finish)

    def _with_truth(self, finish: Finish) -> Finish:
        """Return the answer with SAGE's words; a question that is not asked is no answer."""
        is_question = finish.kind is FinishKind.ASKED
        kind = FinishKind.COULD_NOT if is_question else finish.kind
        return replace(finish, kind=kind, answer=self._truth(finish))

    # ------------------------------------------------------------ failed commands

    @property
    def _failed(self) -> tuple[Outcome, ...]:
        return tuple(each for each in self._evidence.final_outcomes if each.kind in _FAILED)

    def _is_about_commands(self, finish: Finish) -> bool:
        """Return whether the outcomes of the commands are all that the answer can be about."""
        has_more = self._has_more or finish.about & {About.LATER, About.MEMORY}
        is_question = finish.kind is FinishKind.ASKED
        return not (is_question or has_more or self._reads_others(finish))

    @property
    def _has_more(self) -> bool:
        """Whether the record has more for an answer than values and outcomes of devices."""
        evidence = self._evidence
        return bool(evidence.changed_others or evidence.external_texts or evidence.recalled)

    def _reads_others(self, finish: Finish) -> bool:
        """Return whether the answer also states values of devices whose commands did not fail."""
        failed = {each.device_id for each in self._failed}
        read = [each for each in finish.claims if each.result is ClaimResult.READ]
        return any(each.device.id not in failed for each in self._words.claimed(read))

    def _with_failures(self, finish: Finish, failed: str) -> Finish:
        if not failed or failed in finish.answer:
            return finish
        if finish.kind is not FinishKind.ASKED:
            return replace(finish, answer=f"{finish.answer} {failed}")
        if failed in self._told:
            return finish
        self._told.add(failed)
        return replace(finish, answer=f"{failed} {finish.answer}")

    # ------------------------------------------------------------ words beyond the claims

    def _is_unsure(self, finish: Finish, compared: Comparison) -> bool:
        """Return whether the claims do not cover the words, so that they have to be verified.

        A separate model call then compares them with the record. The reasons are:

        - The option `verify_answers`.
        - A text that the model wrote without naming its subjects.
        - Nothing was claimed, read or done: about the home, of a small model about anything.
        - A claim without the value that the command set.
        - Another kind or fewer subjects than those of an answer that was sent back.
        - A refusal to do something later: the words may promise it.
        - A question after a command failed.
        - A routine fires, and the answer is not only about the home, or is not the stored message.
        """
        run, refused, about = self._run, self._refused, finish.about - {About.PERSON}
        is_relabelled = refused is not None and (
            finish.kind is not refused.kind or not about >= refused.about - {About.PERSON}
        )
        is_unproven_firing = (
            run.utterance.routine is not None
            and finish.answer != self._message
            and (finish.about != {About.HOME} or not finish.claims)
        )
        has_ground = finish.claims or self._evidence.read or self._evidence.wrote
        # Small models also invent mail, appointments and memories.
        invents = About.HOME in about or (run.settings.shows_turns and self._evidence.is_empty)
        is_blank = finish.kind is FinishKind.ANSWERED and invents and not has_ground
        return (
            run.settings.verify_answers
            or finish.is_unstructured
            or is_relabelled
            or is_blank
            or compared.has_blank
            or (finish.kind is FinishKind.COULD_NOT and About.LATER in about)
            or (finish.kind is FinishKind.ASKED and bool(self._failed))
            or is_unproven_firing
        )

    def _names_others(self, finish: Finish) -> bool:
        """Return whether the words name a device or routine that the fields do not mention."""
        if finish.answer == self._message:
            return False
        if self._words.names_others(finish.answer, finish.claims):
            return True
        evidence = self._evidence
        if About.LATER in finish.about and (evidence.routines or evidence.routines_listed):
            return False
        routines = self._situation.routines
        has_routines = routines.has_some or bool(evidence.routines)
        return has_routines and self._words.has_phrase(finish.answer, routines.names())

    def _repeats(self, finish: Finish, refused: Finish) -> Iterator[str]:
        """Yield the problems of claims that were refused and left out, though the words stay."""
        if words(finish.answer) != words(refused.answer):
            return
        covered = {each.device.id for each in self._words.claimed(finish.claims)}
        for claim in refused.claims:
            named = {each.device.id for each in self._words.claimed([claim])}
            if named and named.isdisjoint(covered):
                yield from self._words.compared([claim]).problems

    # ------------------------------------------------------------ technical names

    def _worded(self, finish: Finish) -> Finish | str:
        """Return the answer without technical names, or an objection to the first unknown one."""
        if ids := self._words.identifiers(finish.answer):
            answer = self._words.with_names(finish.answer)
            if ids := self._words.identifiers(answer):
                is_first = self._right is None
                self._right = answer = _in_words(answer, ids)
                if is_first:
                    return _IN_PLAIN_WORDS.format(", ".join(ids))
            finish = replace(finish, answer=answer)
        return self._with_failures(finish, self._code.say(self._failed)) if self._failed else finish

    # ------------------------------------------------------------ claims beyond the record

    def _problems(self, finish: Finish, compared: Comparison) -> list[str]:
        unsupported: Iterator[str] = iter(())
        if finish.kind is FinishKind.ACTED:
            unsupported = self._not_acted(finish.about, compared)
        elif finish.kind is FinishKind.ANSWERED:
            unsupported = self._not_known(finish)
        repeated = self._repeats(finish, self._refused) if self._refused is not None else ()
        is_proven = finish.claims and not compared.problems
        return [
            *([_EXAMPLE] if not is_proven and self._is_example(finish) else ()),
            *compared.problems,
            *unsupported,
            *self._concealed(finish, compared),
            *repeated,
        ]

    def _is_example(self, finish: Finish) -> bool:
        example = self._run.settings.examples_spoken.get(words(finish.answer))
        if example is None or finish.answer == self._message:
            return False
        # Only what is true in every home answers the request of its example.
        is_asked = self._words.has_phrase(example, [self._run.utterance.text])
        return not is_asked or '"devices"' in example

    def _not_acted(self, about: frozenset[About], compared: Comparison) -> Iterator[str]:
        evidence = self._evidence
        if About.LATER in about and (evidence.unwatched or not evidence.routines):
            yield _NOTHING_LATER
        if About.MEMORY in about and not evidence.memory_changed:
            yield _NOTHING_KEPT
        if About.HOME in about and not (compared.has_acted or evidence.foreign):
            yield _NO_CLAIM if evidence.wrote else _NOTHING_DONE
        has_acted = evidence.foreign or any(
            each.kind is RunEventKind.DONE for each in evidence.external_actions
        )
        if about <= {About.OTHER, About.PERSON} and not has_acted:
            yield _ONLY_READ if evidence.external_texts else _NOTHING_DONE

    def _not_known(self, finish: Finish) -> Iterator[str]:
        evidence, about = self._evidence, finish.about
        listed = evidence.routines or evidence.routines_listed
        if About.LATER in about and (evidence.unwatched or not listed):
            yield _NOTHING_LATER if self.may_change else _NOTHING_LISTED
        if About.MEMORY in about and not (evidence.recalled or evidence.memory_changed):
            yield _NOTHING_RECALLED
        # The model planned an action in the home, but did and claims nothing.
        did = evidence.wrote or evidence.routines or evidence.memory_changed
        if self._run.wants_to_act and not did and About.HOME in about and not finish.claims:
            yield _NOTHING_DONE

    def _concealed(self, finish: Finish, compared: Comparison) -> Iterator[str]:
        """Yield a sentence for each outcome that the answer must mention but does not."""
        hides_success = finish.kind in (FinishKind.COULD_NOT, FinishKind.ANSWERED)
        hides_failure = finish.kind is not FinishKind.COULD_NOT
        named = {id(each) for each in compared.claimed}
        for each in self._evidence.final_outcomes:
            is_hidden = hides_success if each.is_done else hides_failure
            # The response of a script may be all that the person asked for.
            is_answer = each.is_read or finish.kind is FinishKind.ANSWERED
            is_hidden = is_hidden and not (each.response and is_answer)
            if is_hidden and id(each) not in named:
                place = f"{each.device_id} {each.component_id}"
                yield f"{place}: {each.command} is `{each.kind}`, and no claim says so."
        asks = finish.kind is FinishKind.ASKED
        for action in self._evidence.external_actions:
            if action.kind is RunEventKind.DONE and hides_success:
                yield f"This was done, so the kind is `acted`: {action.text}"
            # Require the exact sentence, since code cannot interpret other words of the answer.
            if action.kind is RunEventKind.UNKNOWN and plain(action.text) not in finish.answer:
                yield f"The answer must contain this sentence: {action.text}"
        if self._evidence.routines and About.LATER not in finish.about and not asks:
            changed = " ".join(self._evidence.routines)
            yield f"The answer leaves out what was changed for later: {changed}"

    def _objection(self, problems: Sequence[str]) -> str:
        lines = ["That is more or other than the record shows:", *(f"- {p}" for p in problems)]
        if self._evidence.wrote:
            lines += ["The record:", describe_for_model(self._evidence.final_outcomes)]
        return "\n".join([*lines, _HOW_TO_ANSWER if self.only_asks else _HOW_TO_FIX])

    def so_far(self) -> str:
        """Return what is known in a run whose model did not get any further."""
        if self._right is not None:
            return self._right
        if self._refused is not None:
            return self._truth(self._refused)
        return self._code.known(is_question=not self.may_change)

    def _truth(self, finish: Finish) -> str:
        return self._code.truth(finish, is_question=self._only_asks(self._refused or finish))


def _in_words(answer: str, identifiers: Sequence[str]) -> str:
    """Return the answer with spaces instead of `_` in technical names, without their domains."""
    for technical in identifiers:
        parts = technical.rpartition(".")[2].split("_")
        answer = answer.replace(technical, " ".join(filter(None, parts)))
    return answer


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
_NOTHING_LISTED: Final = (
    "Nothing of what is set up for later was read in this request. If the answer does not speak of "
    "that, leave `later` out of `about`."
)
_NOTHING_KEPT: Final = "Nothing was remembered or forgotten in this request. Call `memory`."
_NOTHING_RECALLED: Final = (
    "Nothing was looked up, remembered or forgotten in this request. Call `personalization`. If "
    "the answer rests on this conversation alone, leave `memory` out of `about`."
)
_NOTHING_READ: Final = (
    "Put the devices and values of the answer into `claims`, or call a tool that reads them. If it "
    "says nothing about the home, leave `home` out of `about`."
)
_EXAMPLE: Final = "The answer is an example of the instructions and says nothing of this request."
_HOW_TO_ANSWER: Final = (
    "It was only asked, so change nothing: finish again with an answer and claims that say no more "
    "than the record."
)
_HOW_TO_FIX: Final = (
    "Do what is missing, or finish again with an answer and claims that say no more than the "
    "record. If it was not possible, finish with `could_not`."
)
