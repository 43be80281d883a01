"""Holding a final answer against what the record shows (DESIGN 4 and 5).

The model's claim is its `kind`. What it claims beyond the evidence is sent back
once; then the code states what happened, in the person's language.
"""

import re
from collections.abc import Callable
from typing import Final

from ..agent.decision import Finish, FinishKind
from ..agent.run import Run, Verdict, VerdictKind
from ..home.evidence import Evidence
from ..home.model import Outcome, OutcomeKind
from ..home.outcome_text import describe_for_model
from ..speech import Sentences
from .messages import is_message

_SHORT_ANSWER_WORDS: Final = 4
"""An answer from nothing of so few words may be a bare 'done' in any language."""

_PLAIN_QUESTION: Final = re.compile(r"[^.!,;:…–—。！，、；：]+[?？؟;；]")
"""One clause that asks: there is no room for a claim before it."""


class EvidenceCheck:
    """Judges the final answers of one run."""

    def __init__(
        self,
        run: Run,
        evidence: Evidence,
        sentences: Sentences,
        *,
        say_outcomes: Callable[[tuple[Outcome, ...]], str],
        speaks_of_home: Callable[[str], bool],
        is_remembered: Callable[[], bool],
    ) -> None:
        """Keep the record, and how outcomes are told to the person.

        `speaks_of_home` tells whether a text has words of devices or areas, `is_remembered`
        whether the request itself is remembered by now, as all that is said.
        """
        self._run = run
        self._evidence = evidence
        self._sentences = sentences
        self._say_outcomes = say_outcomes
        self._speaks_of_home = speaks_of_home
        self._is_remembered = is_remembered
        self._sent_back = False
        self.has_corrected = False
        """The model went on to claim more than was done, so the code spoke instead."""

        self._told = ""

    def may_stream(self) -> bool:
        """Tell whether an `answered` answer may be spoken while it is written.

        Only after a read, and never when something was or was to be changed.
        """
        evidence = self._evidence
        intended = self._run.act_intended or self._is_order or self._promises_later
        changed = evidence.wrote or evidence.routines
        return evidence.read and not changed and not intended

    def question(self, text: str) -> str:
        """Return a question of the model, after the truth if it may claim more than that."""
        truth = self._truth_before(text)
        if not truth or truth == self._told:
            return text
        self._told = truth
        return f"{truth} {text}"

    def judge(self, finish: Finish) -> Verdict:
        """Return what becomes of `finish`."""
        claims = finish.kind in (FinishKind.ACTED, FinishKind.ANSWERED)
        if claims and self._promises_in_vain(finish):
            return self._correct(
                "Nothing was set up for later in this request, so nothing will happen then. If "
                "something is to be done or told later, call `condition_polling` now, with the "
                "function of `condition_code_writing` or a time. If not, finish again.",
                self._truth("routine_not_made"),
            )
        if self._evidence.wrote:
            return self._judge_after_commands(finish)
        if self._evidence.routines:
            return self._judge_after_routines(finish)
        if self._evidence.kept:
            return self._judge_after_keeping(finish)
        if claims and self._is_message:
            return _accept(finish.answer)
        return self._judge_without_change(finish)

    def _judge_without_change(self, finish: Finish) -> Verdict:
        if finish.kind is FinishKind.ACTED or (
            finish.kind is FinishKind.ANSWERED and (self._run.act_intended or self._is_order)
        ):
            return self._correct(
                "Nothing was changed in this request: no command was executed, nothing was set up "
                "for later, and nothing was remembered or forgotten with `memory`. Do what was "
                "asked for. If nothing had to be done or it is not possible, finish with "
                "`could_not` and say why.",
                self._truth_without_change,
            )
        if finish.kind is FinishKind.COULD_NOT and (
            self._run.act_intended or self._is_suspicious(finish)
        ):
            return _accept(f"{self._sentences.say('nothing_changed')} {finish.answer}")
        if finish.kind is FinishKind.ANSWERED and not self._evidence.read:
            return self._judge_answer_from_nothing(finish)
        return _accept(finish.answer)

    def _judge_after_routines(self, finish: Finish) -> Verdict:
        """Let the code say what was set up: its words are the record."""
        if finish.kind is FinishKind.ACTED and self._run.act_intended:
            return self._correct(
                "Something was set up for later, but no command was executed in this request. If "
                "something is to be done in the home now, too, do it. If not, finish again.",
                self._truth("routine_only"),
            )
        told = " ".join(self._evidence.routines)
        is_more = finish.kind is not FinishKind.ACTED or (
            self._evidence.kept and not self._speaks_of_home(finish.answer)
        )
        return Verdict(VerdictKind.REPLACE, f"{told} {finish.answer}" if is_more else told)

    def _judge_after_keeping(self, finish: Finish) -> Verdict:
        """Judge where only memory was changed: that is no ground for a claim about the home."""
        said, answered = _words(self._run.utterance.text), _words(finish.answer)
        is_order = bool(said & self._sentences.words("command_words"))
        may_claim = self._run.act_intended or (
            is_order and self._speaks_of_home(" ".join(said & answered))
        )
        if not may_claim or finish.kind is FinishKind.COULD_NOT:
            return _accept(finish.answer)
        return self._correct(
            "Only what is remembered was changed in this request: no command was executed. If "
            "something is to be done in the home, too, do it now. If not, finish again and name "
            "neither a device nor a room.",
            self._sentences.say("only_memory"),
        )

    @property
    def _truth_without_change(self) -> str:
        """What is true where neither the home nor the memory was changed by a tool."""
        if self._first_word in self._sentences.words("remember_words") and self._is_remembered():
            return self._sentences.say("kept_anyway")
        return self._sentences.say("nothing_changed")

    def _judge_answer_from_nothing(self, finish: Finish) -> Verdict:
        """Let small talk pass; what may be a claim about the home does not."""
        observation = (
            "No tool was used in this request, so nothing was done and no state is known. "
            "If the request is about the home, call a tool now, and `memory` if something is to "
            "be forgotten. If it is not, finish again."
        )
        truth = f"{self._sentences.say('nothing_changed')} {finish.answer}"
        said, answered = _words(self._run.utterance.text), _words(finish.answer)
        if self._is_suspicious(finish) or said & self._sentences.words("forget_words"):
            return self._correct(observation, truth)
        if any(each.done for each in self._run.utterance.earlier) and not answered <= said:
            # "Make it warmer" after a command names nothing of the home, yet is about it.
            asks = bool(said & self._sentences.words("command_words"))
            return self._correct(observation, truth if asks else finish.answer)
        return _accept(finish.answer)

    def _judge_after_commands(self, finish: Finish) -> Verdict:
        outcomes = self._evidence.final_outcomes
        if all(outcome.kind is OutcomeKind.VERIFIED for outcome in outcomes):
            return _accept(finish.answer)
        truth = self._truth()
        claims = finish.kind is not FinishKind.COULD_NOT
        mendable = any(_is_mendable(outcome) for outcome in outcomes)
        if claims and mendable:
            return self._correct(
                "That is more than the record shows:\n" + describe_for_model(outcomes) + "\n"
                "Try another way if there is one, else finish with `could_not`.",
                truth,
            )
        return Verdict(VerdictKind.REPLACE, truth)

    def _correct(self, observation: str, truth: str) -> Verdict:
        """Send the claim back once; then tell the truth instead."""
        if self._sent_back:
            self.has_corrected = True
            return Verdict(VerdictKind.REPLACE, truth)
        self._sent_back = True
        return Verdict(VerdictKind.SEND_BACK, observation)

    def _truth(self, key: str = "") -> str:
        """Return what was done and set up, as code says it, and the sentence `key`."""
        done = self._say_outcomes(self._evidence.final_outcomes) if self._evidence.wrote else ""
        said = self._sentences.say(key) if key else ""
        return " ".join(part for part in (done, *self._evidence.routines, said) if part)

    def _promises_in_vain(self, finish: Finish) -> bool:
        """Tell whether an answer may promise what nothing was set up for."""
        if self._evidence.unwatched:
            is_question = self._run.utterance.text.rstrip().endswith("?")
            return finish.kind is FinishKind.ACTED or not is_question
        changed = self._evidence.routines or self._evidence.wrote
        return not changed and self._promises_later

    @property
    def _promises_later(self) -> bool:
        """Whether the request is one for later by its words, or condition code was written."""
        if self._run.utterance.routine is not None:
            return self._evidence.unwatched
        words = _words(self._run.utterance.text) & self._sentences.words("routine_words")
        return self._evidence.unwatched or bool(words)

    @property
    def _is_message(self) -> bool:
        """Whether a routine fires whose command is to tell its person something.

        The words for them are all that is to be done: no claim about the home.
        """
        utterance = self._run.utterance
        if utterance.routine is None or self._run.act_intended:
            return False
        return is_message(utterance.text, self._sentences)

    def _truth_before(self, question: str) -> str:
        """Return what must be told before a question; empty if it can be asked as it is."""
        if self._evidence.wrote:
            outcomes = self._evidence.final_outcomes
            proven = all(outcome.kind is OutcomeKind.VERIFIED for outcome in outcomes)
            return "" if proven else self._say_outcomes(outcomes)
        only_read = self._evidence.read and not self._run.act_intended
        if only_read or _PLAIN_QUESTION.fullmatch(question.strip()):
            return ""
        return self._sentences.say("nothing_changed")

    @property
    def _is_order(self) -> bool:
        """Whether the request begins as an order does: a plan to read does not make it less."""
        orders = ("command_words", "remember_words", "forget_words")
        is_question = self._run.utterance.text.rstrip().endswith("?")
        return not is_question and any(
            self._first_word in self._sentences.words(each) for each in orders
        )

    @property
    def _first_word(self) -> str:
        first = re.match(r"\W*(\w+)", self._run.utterance.text.casefold())
        return "" if first is None else first[1]

    def _is_suspicious(self, finish: Finish) -> bool:
        """Tell whether an answer from nothing may be a claim about the home.

        It has words of the home, or it is so short that it may be a bare "done", other
        than "good morning" for "good morning".
        """
        if self._evidence.read:
            return False
        said, answered = _words(self._run.utterance.text), _words(finish.answer)
        if len(answered) <= _SHORT_ANSWER_WORDS and not answered <= said:
            return True
        return self._speaks_of_home(f"{self._run.utterance.text} {finish.answer}")


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _accept(text: str) -> Verdict:
    return Verdict(VerdictKind.ACCEPT, text)


def _is_mendable(outcome: Outcome) -> bool:
    """Tell whether another try could do better; a person's no cannot be mended."""
    return outcome.kind in (OutcomeKind.NOT_CONFIRMED, OutcomeKind.FAILED)
