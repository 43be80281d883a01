"""The words of an answer beyond its claims: names in them, and their verification by the model.

People must not hear technical names. The model compares words with the record in a separate call.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Final

from homeassistant.core import HomeAssistant

from ...agent import Claim, ClaimResult, Finish, Run, Utterance, async_is_small_talk
from ...model import first_object, object_schema
from ...text import Sentences, content_words, fenced, forms, is_unspaced, words
from ..commands.evidence import Evidence
from ..commands.outcome_text import describe_for_model
from ..commands.spoken_values import NUMBERS, cleaned, entries_said, past_said
from ..directory import render_index
from ..home_types import Component, Device, Fact, HomeError, Reading
from ..listing import MAX_LISTINGS, TELLING_ONLY, Found, Listing
from ..values import PAST, STATE, grouped, plain
from ..vocabulary import Synonyms
from .claimed_facts import Terms
from .comparison import Comparison

_IDENTIFIER: Final = re.compile(r"(?<![\w@/:.-])[a-z][a-z0-9]*(?:[._]+[a-z0-9]+)+(?![\w@/])")
"""A word in the form of an id, tool or attribute, such as `hall_lamp` or `light.hall`."""

_WORD: Final = re.compile(r"\w+")


type _Phrase = tuple[tuple[str, ...], Found]
"""The words of a name, and the device or component with the name."""


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """Compares the answers of one run, their claims and words, with the record of the run."""

    hass: HomeAssistant
    sentences: Sentences
    utterance: Utterance  # what the person said; names in it may stand in the answer
    evidence: Evidence
    listing: Listing
    synonyms: Synonyms

    def compared(self, claims: Sequence[Claim], *, is_repeated: bool = False) -> Comparison:
        """Return the comparison of the claims of an answer with what was done and read."""
        terms = Terms(self.hass, self.sentences, self.utterance.language)
        return Comparison(
            claims, self.evidence, self.listing, terms, self.synonyms, is_repeated=is_repeated
        )

    def say_read(
        self, places: Iterable[Found], asked: Mapping[str, Collection[str]] | None = None
    ) -> str:
        """Return short sentences with values of devices and components; empty if none was read.

        `On: Kitchen Light and Hall Lamp. Bedroom Temperature: 20.5 °C.`

        - `places`: the devices and components to speak of, in this order, and no others. Texts
          from outside are not spoken, except entries of lists
        - `asked`: component id -> names of the attributes to say, instead of the state; a device
          is left out if none of its components is in it and they have different states. Without
          `asked`, the main components of devices are said, not their batteries
        """
        terms = Terms(self.hass, self.sentences, self.utterance.language)
        readings = grouped((each.device_id, each) for each in self.evidence.seen)
        named: dict[tuple[str, str], tuple[str, str | None, str]] = {}
        for place in places:
            for part, reading in _parts_read(place, readings.get(place.device.id, ()), asked):
                facts = _facts_asked(reading, (asked or {}).get(reading.component_id, (STATE,)))
                is_alone = len(facts) == 1
                texts = (_said(terms, reading, fact, is_alone=is_alone) for fact in facts)
                if text := ", ".join(texts):
                    name = place.device.spoken_name(part) if part else reading.device_name
                    area = place.device.area
                    named[reading.device_id, reading.component_id] = cleaned(name), area, text
        count = Counter(name for name, _, _ in named.values())
        groups = grouped(
            (text, f"{name} ({area})" if area and count[name] > 1 else name)
            for name, area, text in named.values()
        )
        return " ".join(
            _said_group(self.sentences, text, names)
            for text, names in [*groups.items()][:_MOST_SENTENCES]
        )

    # ------------------------------------------------------------ technical names

    def with_names(self, answer: str) -> str:
        """Return the answer with names of devices instead of their ids; drops ids in brackets."""
        for technical in sorted(self.identifiers(answer), key=len, reverse=True):
            with suppress(HomeError):
                found = self.listing.find(technical)
                name = (found.component or found.device).name
                in_brackets = rf"\s*[(\[](?:[\w ]+: *)?{re.escape(technical)}[)\]]"
                answer = re.sub(in_brackets, "", answer).replace(technical, name)
        return answer

    def identifiers(self, text: str) -> tuple[str, ...]:
        """Return the technical names in `text` that an answer must not contain, e.g. `light.hall`.

        Names that occur in the person's utterance or in device names are left out.
        """
        ids = {part.id for device in self.listing.devices for part in device.components}
        technical = [
            each for each in dict.fromkeys(_IDENTIFIER.findall(text)) if "_" in each or each in ids
        ]
        listed = self.evidence.external_ids.intersection(_WORD.findall(text))
        # An id in `listed` always occurs in a text that was read, so that does not excuse it.
        return (
            *(each for each in technical if not self._is_said(each)),
            *sorted(each for each in listed if not self._is_named(each)),
        )

    def _is_named(self, text: str) -> bool:
        names = (
            name
            for device in self.listing.devices
            for name in (device.name, *device.aliases, *(part.name for part in device.components))
        )
        return any(text in said for said in (self.utterance.text, *names))

    def _is_said(self, text: str) -> bool:
        facts = (fact for seen in self.evidence.seen for fact in seen.attributes)
        written = (f"{fact.value}\n{fact.meaning or ''}" for fact in facts if fact.is_free_text)
        read = (*written, *self.evidence.external_texts)
        return self._is_named(text) or any(text in said for said in read)

    # ------------------------------------------------------------ names of devices

    def names_any(self, answer: str, claims: Sequence[Claim]) -> bool:
        """Return whether the answer has a word of the name or the area of a device in `claims`."""
        said = _all_forms(answer)
        return any(
            not said.isdisjoint(_all_forms(name))
            for found in self.claimed(claims)
            for name in (
                found.device.name,
                *found.device.aliases,
                found.device.area or "",
                found.component.name if found.component else "",
            )
        )

    def lacks_value(self, answer: str, claims: Sequence[Claim]) -> bool:
        """Return whether an answer has not the number that is claimed, or another state.

        Another state is one of the possible states of what was shown: "open" for a closed door.
        """
        values = " ".join(filter(None, (each.value for each in claims)))
        if any(map(str.isdigit, values)):
            return not any(map(str.isdigit, answer))
        said, claimed = {*words(answer)}, {*words(values)}
        devices = {found.device.id for found in self.claimed(claims)}
        for fact in chain.from_iterable(
            each.attributes for each in self.evidence.shown if each.device_id in devices
        ):
            own = {*words(f"{fact.value} {fact.meaning or ''}")}
            others = {*words(" ".join((*fact.values, *fact.meanings, *fact.meanings.values())))}
            if not own.isdisjoint(claimed):
                return own.isdisjoint(said) and not others.isdisjoint(said)
        return False

    def names_others(self, answer: str, claims: Sequence[Claim]) -> bool:
        """Return whether the answer has the name or alias of a device that is in none of `claims`.

        Of several devices with the same name, it is enough that one is in the claims. A name that
        is a part of what is missing names no device: "no speaker in the bathroom".
        """
        named = grouped(_names_in(self.listing, words(answer)))
        if not named:
            return False
        claimed = [*self.claimed(claims)]
        lacks = [each for each in claims if each.result is ClaimResult.MISSING]
        missing = [words(name) for claim in lacks for name in claim.devices]
        longest = [
            phrase
            for phrase in named
            if not any(phrase != other and _is_part(phrase, other) for other in named)
            and not any(_is_part(phrase, other) for other in missing)
        ]
        return not all(
            any(
                found.covers(other) or other.covers(found)
                for found in named[phrase]
                for other in claimed
            )
            for phrase in longest
        )

    def has_phrase(self, answer: str, phrases: Iterable[str]) -> bool:
        """Return whether the answer has a phrase's words (at least two) next to each other."""
        spoken = words(answer)
        return any(
            _is_part(phrase, spoken)
            for each in phrases
            if len(phrase := words(each)) > 1 or is_unspaced("".join(phrase))
        )

    def named_in(self, answer: str) -> tuple[Found, ...]:
        """Return the devices and components that the words of an answer name, by longest names."""
        named = [*_names_in(self.listing, words(answer))]
        return tuple(
            found
            for phrase, found in named
            if not any(phrase != other and _is_part(phrase, other) for other, _ in named)
        )

    def places(self, readings: Iterable[Reading]) -> tuple[Found, ...]:
        """Return the components of what was read; those that are not listed are left out."""
        places: dict[Found, None] = {}
        for reading in readings:
            with suppress(HomeError):
                places[self.listing.find(reading.component_id)] = None
        return tuple(places)

    def claimed(self, claims: Sequence[Claim]) -> Iterator[Found]:
        """Yield the devices and components that the claims name; unknown names are left out."""
        for claim in claims:
            with suppress(HomeError):
                yield from self.listing.find_all(claim.devices)

    async def async_verify(
        self, run: Run, finish: Finish, *, may_be_talk: bool = False
    ) -> list[str]:
        """Let the model compare an answer with the record of the run, in a separate model call.

        Return a sentence for each statement of the answer that this record does not prove.
        `may_be_talk`: whether it may be small talk, which needs no proof; false for an answer that
        was sent back before, whatever it says to be about now.
        """
        answer = finish.answer
        may_be_talk = may_be_talk and not self.names_others(answer, ())
        if may_be_talk and await async_is_small_talk(
            run, finish, has_ground=not self.evidence.is_empty
        ):
            return []
        request = run.settings.json_request(
            run.settings.prompts["verify_answer"],
            "\n".join([*_record_lines(run, self.evidence, self.listing), f"Answer: {answer}"]),
            schema=_VERIFY_SCHEMA,
        )
        reply = await run.async_sample(request)
        unproven = (first_object(reply.text) or {}).get("unproven")
        if not isinstance(unproven, list):
            return [_NOT_VERIFIED]
        # Some models write `[""]` or `["none"]` for an empty list.
        stated = [each for each in unproven if each and str(each).strip(" .").casefold() != "none"]
        return [f'"{each}": the record does not show it.' for each in stated]


def _names_in(listing: Listing, text: Sequence[str]) -> Iterator[_Phrase]:
    phrases = _phrases(listing)
    for start, word in enumerate(text):
        for phrase, found in phrases.get(word, ()):
            if tuple(text[start : start + len(phrase)]) == phrase:
                yield phrase, found
    # Scripts without spaces: a name is a part of a word.
    if unspaced := [word for word in text if is_unspaced(word)]:
        for phrase, found in phrases.get("", ()):
            if any(phrase[0] in word for word in unspaced):
                yield phrase, found


@lru_cache(maxsize=MAX_LISTINGS)
def _phrases(listing: Listing) -> Mapping[str, Sequence[_Phrase]]:
    """Return first word -> names that begin with it; the empty word has those without spaces."""
    phrases: dict[str, list[_Phrase]] = {}
    for device in listing.devices:
        for name, found in _names(device):
            if phrase := words(name):
                first = "" if is_unspaced("".join(phrase)) else phrase[0]
                phrase = phrase if first else ("".join(phrase),)
                phrases.setdefault(first, []).append((phrase, found))
    return phrases


def _names(device: Device) -> Iterator[tuple[str, Found]]:
    whole = Found(device=device)
    parts = {alias for part in device.components for alias in part.aliases}
    yield device.name, whole
    yield from ((alias, whole) for alias in device.aliases if alias not in parts)
    for part in device.components:
        found = Found(device=device, component=part)
        yield device.spoken_name(part), found
        yield from ((alias, found) for alias in part.aliases)


def _all_forms(text: str) -> frozenset[str]:
    return frozenset(form for word in content_words(text) for form in forms(word))


def _is_part(phrase: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether `other` contains the words of `phrase` in this order, next to each other."""
    return any(
        other[start : start + len(phrase)] == phrase
        for start in range(len(other) - len(phrase) + 1)
    )


# ------------------------------------------------------------ what was read, in words of code

_MOST_NAMED: Final = 12  # maximum number of devices that a sentence names; it counts the others
_MOST_SENTENCES: Final = 8


def _said_group(sentences: Sentences, text: str, of: Sequence[str]) -> str:
    # Two components may have the same name and value.
    names = [*dict.fromkeys(of)]
    if len(names) == 1:
        return sentences.say("seen_state", device=names[0], state=text)
    shown = [*names[:_MOST_NAMED]]
    if more := len(names) - _MOST_NAMED:
        shown += [sentences.say("names_more", count=str(more))] if more > 0 else []
    return sentences.say(
        "seen_state", device=text[:1].upper() + text[1:], state=sentences.joined(shown)
    )


def _parts_read(
    place: Found, readings: Sequence[Reading], asked: Mapping[str, object] | None
) -> Sequence[tuple[Component | None, Reading]]:
    if place.component is not None:
        own = place.component
        return [(own, each) for each in readings if each.component_id == own.id]
    meant = [each for each in readings if asked is None or each.component_id in asked]
    if readings and not meant:
        states = {fact.shown for each in readings if (fact := each.fact(STATE))}
        return [(None, readings[0])] if len(states) == 1 else []
    parts = {part.id: part for part in place.device.components}
    main = [each for each in meant if each.component_id.partition(".")[0] not in TELLING_ONLY]
    return [(parts.get(each.component_id), each) for each in main or meant]


def _facts_asked(reading: Reading, names: Collection[str]) -> Sequence[Fact]:
    facts = [
        fact
        for fact in reading.attributes
        if fact.name in names and (isinstance(fact.value, list) or not fact.is_free_text)
    ]
    past = [
        fact
        for fact in reading.attributes
        if PAST in fact.name and fact.value not in (None, []) and not fact.is_free_text
    ]
    if past and all(name == STATE or PAST in name for name in names):
        # Somebody asked for it, so it says more than the state now.
        return past
    # The number of entries says less than they do.
    entries = [fact for fact in facts if isinstance(fact.value, list) and fact.is_free_text]
    return entries or facts


def _said(terms: Terms, reading: Reading, fact: Fact, *, is_alone: bool) -> str:
    """Return a value for speech: `on`, `20.5 °C`; with its name, if it is not alone."""
    component_id, sentences, value = reading.component_id, terms.sentences, fact.value
    if not sentences.is_own_language:
        terms = replace(terms, language="en")
    if PAST in fact.name:
        return past_said(terms.hass, sentences, component_id, fact, terms.language)
    if isinstance(value, list):
        return entries_said(value)
    names = terms.names(component_id, fact.name, value)
    if fact.name == STATE:
        # SAGE's own words do not know that the state `on` of a door is "open".
        if names:
            return names[-1] if fact.meaning is None else names[0]
        key = f"state_{value}"
        return sentences.say(key) if key in sentences else _with_unit(fact)
    if fact.name in NUMBERS and isinstance(value, int | float):
        return sentences.say(NUMBERS[fact.name], value=f"{value:g}")
    text = names[0] if names else _with_unit(fact)
    is_clear = is_alone and fact.unit
    return text if is_clear else f"{terms.label(component_id, fact.name)} {text}"


def _with_unit(fact: Fact) -> str:
    value = fact.shown
    text = f"{value:g}" if isinstance(value, float) else str(plain(value, 60)).replace("_", " ")
    return f"{text} {fact.unit}" if fact.unit else text


# ------------------------------------------------------------ verification by the model

_LONGEST_RESULT: Final = 1_000
"""Maximum length of a tool result in the prompt of a verification, in characters."""

_INDEX_TOKENS: Final = 600
"""Maximum length of the list of devices in this prompt; a longer one has only their numbers."""

_VERIFY_SCHEMA: Final = object_schema({"unproven": {"type": "array", "items": {"type": "string"}}})

_NOT_VERIFIED: Final = "The answer could not be verified. Say it in shorter words."


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
    results = [f"- {name}: {text[:_LONGEST_RESULT]}" for name, text in run.record.looked_up()]
    yield from results or ["none"]
    utterance = run.utterance
    if done := [each.done for each in utterance.earlier if each.done]:
        yield from ("Commands executed earlier in this conversation:", *done)
    yield from ("Devices of the home:", render_index(listing, _INDEX_TOKENS))
    yield from (f"Time: {utterance.now:%A %Y-%m-%d %H:%M}", "")
    yield f"The person said: {utterance.text}"


def _seen_line(seen: Reading) -> str:
    """Return the values read from one device component as text; marks values that are untrusted."""

    def written(*, are_free: bool) -> str:
        return ", ".join(
            f"{fact.name} {fact.shown}" for fact in seen.attributes if fact.is_free_text is are_free
        )

    line = f"- {seen.device_name} {seen.component_id}: {written(are_free=False)}"
    others = written(are_free=True)
    return f"{line}\n{fenced(others)}" if others else line
