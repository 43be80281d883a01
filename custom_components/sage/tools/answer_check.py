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
        self._told = ""

    def may_stream(self) -> bool:
        """Tell whether an `answered` answer may be spoken while it is written.

        Only after a read, and never when something was or was to be changed.
        """
        intended = self._run.act_intended or self._is_order
        return self._evidence.read and not self._evidence.wrote and not intended

    def question(self, text: str) -> str:
        """Return a question of the model, after the truth if it may claim more than that."""
        truth = self._truth_before(text)
        if not truth or truth == self._told:
            return text
        self._told = truth
        return f"{truth} {text}"

    def judge(self, finish: Finish) -> Verdict:
        """Return what becomes of `finish`."""
        if self._evidence.wrote:
            return self._judge_after_commands(finish)
        if self._evidence.kept:
            return self._judge_after_keeping(finish)
        if finish.kind is FinishKind.ACTED or (
            finish.kind is FinishKind.ANSWERED and (self._run.act_intended or self._is_order)
        ):
            return self._correct(
                "Nothing was changed in this request: no command was executed, and nothing was "
                "remembered or forgotten with `memory`. Do what was asked for. If nothing had to "
                "be done or it is not possible, finish with `could_not` and say why.",
                self._truth_without_change,
            )
        if finish.kind is FinishKind.COULD_NOT and (
            self._run.act_intended or self._is_suspicious(finish)
        ):
            return _accept(f"{self._sentences.say('nothing_changed')} {finish.answer}")
        if finish.kind is FinishKind.ANSWERED and not self._evidence.read:
            return self._judge_answer_from_nothing(finish)
        return _accept(finish.answer)

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
        truth = self._say_outcomes(outcomes)
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
            return Verdict(VerdictKind.REPLACE, truth)
        self._sent_back = True
        return Verdict(VerdictKind.SEND_BACK, observation)

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
