"""What SAGE's code writes from the record of a run: whole answers, and the labels of an answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..agent import About, ClaimResult, Finish, FinishKind
from ..home import AnswerWords, Comparison, Evidence, Outcome, Reading
from ..people import has_question_mark
from ..tools import CHANGE, TELL, Situation, wish_of

NO_ACT: Final = frozenset({ClaimResult.READ, ClaimResult.MISSING})
"""Results of claims that do not speak of a command."""

_MOST_READ: Final = 12  # maximum number of components of which code speaks if no claim names them


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    """Writes what the record of one run shows, in place of an answer of the model."""

    _situation: Situation
    _words: AnswerWords
    _message: str | None  # stored for the person, if a routine has nothing else

    def truth(self, finish: Finish, *, is_question: bool) -> str:
        """Return what is to be said instead of an answer that is more or other than the record."""
        evidence, say = self._situation.evidence, self._situation.sentences.say
        parts = [*self._done()]
        if self._message is not None and not evidence.wrote:
            parts.append(self._situation.run.utterance.text)
        elif not (evidence.wrote or evidence.final_outcomes or evidence.routines):
            parts += self._unchanged(finish, is_question=is_question)
        is_unmade = not (evidence.routines or evidence.routines_listed)
        if About.LATER in finish.about and is_unmade and not self._has_changed_before:
            parts.append(say("routine_not_made"))
        nothing = "nothing_looked_up" if is_question else self._unchanged_key
        return " ".join(filter(None, parts)) or say(nothing)

    def say(self, outcomes: Sequence[Outcome]) -> str:
        """Return the outcomes, or the state now of what has changed since its command."""
        old = {each.component_id for each in outcomes} & self._situation.evidence.overtaken
        held = [each for each in outcomes if each.component_id not in old]
        said = self._situation.say_outcomes(held) if held else ""
        now = self._words.say_read(map(self._words.listing.find, sorted(old))) if old else ""
        return " ".join(filter(None, (said, now)))

    def said_seen(self, finish: Finish, *, is_question: bool) -> str:
        """Return what was read in the devices of the claims.

        If the claims of an answer to a question name none: in those of the words. If these name
        none, too: what tools have read or, for claims, what the prompt showed.
        """
        compared = self._words.compared(finish.claims)
        if compared.to_report or not is_question:
            return self._words.say_read(compared.to_report, compared.asked)
        # Of a device with many parts, the words do not say which they mean.
        named = self._words.named_in(finish.answer)
        if named and all(each.component or len(each.device.components) == 1 for each in named):
            return self._words.say_read(named)
        if compared.has_blank:
            return ""
        places = self._words.places(self._situation.run.record.all(Reading))
        if not places and finish.claims:
            places = self._words.places(self._situation.evidence.seen)
        return self._words.say_read(compared.stated_of(places) or places[:_MOST_READ])

    def certain(self, finish: Finish, calls_it_done: bool) -> Finish:
        """Return an answer that only reads values, with its device and the value if it lacks them.

        A small model may read the right value and say another, or mean another device. It may
        also say that it has set the value: if a change was wanted, or the model `calls_it_done`,
        only what was read is said, and that nothing was changed.
        """
        wish = wish_of(self._situation.run)
        if wish == CHANGE or (calls_it_done and wish != TELL):
            acted = replace(finish, kind=FinishKind.ACTED)
            return replace(finish, answer=self.truth(acted, is_question=False))
        if len(finish.claims) != 1:
            return finish
        names = dict.fromkeys(each.device.name for each in self._words.claimed(finish.claims))
        is_named = not names or self._words.names_any(finish.answer, finish.claims)
        # The words around a number may name another room, in any language.
        is_number = any(each.isdecimal() for each in finish.answer)
        if self._words.lacks_value(finish.answer, finish.claims) or (is_number and not is_named):
            return replace(finish, answer=self.truth(finish, is_question=True))
        if is_named:
            return finish
        return replace(finish, answer=f"{', '.join(names)}: {finish.answer}")

    def known(self, *, is_question: bool) -> str:
        """Return what is known in a run without an answer: all that was done, or what was read."""
        evidence, say = self._situation.evidence, self._situation.sentences.say
        if not is_question:
            is_more = evidence.has_changed or self._has_changed_before
            end = say("nothing_more_changed" if is_more else "nothing_changed")
            return " ".join(filter(None, (*self._done(), end)))
        places = self._words.places(self._situation.run.record.all(Reading))
        said = (*self._done(), self._words.say_read(places[:_MOST_READ]))
        return " ".join(filter(None, said)) or say("nothing_looked_up")

    def _done(self) -> Sequence[str]:
        evidence = self._situation.evidence
        said = self.say(evidence.final_outcomes)
        return said, *(each.text for each in evidence.external_actions), *evidence.routines

    def _unchanged(self, finish: Finish, *, is_question: bool) -> Iterator[str]:
        """Yield that nothing was changed, if the answer claims it, and what was read."""
        has_acted = finish.kind is FinishKind.ACTED and finish.about != {About.LATER}
        if has_acted or any(each.result not in NO_ACT for each in finish.claims):
            yield self._situation.sentences.say(self._unchanged_key)
        yield self.said_seen(finish, is_question=is_question)

    @property
    def _has_changed_before(self) -> bool:
        return any(turn.has_changed for turn in self._situation.run.utterance.earlier)

    @property
    def _unchanged_key(self) -> str:
        if self._situation.evidence.memory_changed:
            return "only_memory"
        return "nothing_more_changed" if self._has_changed_before else "nothing_changed"


# ------------------------------------------------------------ labels


def labelled(finish: Finish, compared: Comparison, evidence: Evidence) -> Finish:
    """Return an answer with the recorded kind and subjects, if proven or without any."""
    if not finish.about:
        finish = replace(finish, about=_subjects(finish, evidence))
    if not finish.claims or compared.problems:
        return finish
    kind, about = finish.kind, finish.about | {About.HOME}
    only_read = all(claim.result in NO_ACT for claim in finish.claims)
    if only_read and (
        (kind is FinishKind.ACTED and not (evidence.wrote or evidence.has_changed))
        or (kind is FinishKind.ASKED and not has_question_mark(finish.answer))
    ):
        kind = FinishKind.ANSWERED
    if kind is FinishKind.ANSWERED:
        about = _subjects(finish, evidence) | about - {About.LATER, About.MEMORY}
    return replace(finish, kind=kind, about=about)


def _subjects(finish: Finish, evidence: Evidence) -> frozenset[About]:
    shown = {
        About.LATER: evidence.routines or evidence.routines_listed,
        About.MEMORY: evidence.recalled or evidence.memory_changed,
        About.OTHER: evidence.external_texts or evidence.external_actions,
        About.HOME: finish.claims,
    }
    return frozenset(each for each, is_shown in shown.items() if is_shown) or frozenset(
        {About.HOME}
    )
