"""The sentences and homes of the data, parsed.

The format is documented at
https://github.com/Drizzt321/ha-voiceagent-llm-benchmark/blob/main/docs/test-data-format.md
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from homeassistant.util.yaml import load_yaml_dict

SIZES: Final = ("small", "medium", "large", "enormous")
"""The homes, from 34 to 453 entities."""

OPTIMAL: Final = "optimal"
"""Grade of the calls that the data expects; alternatives are at most `equivalent`."""

GRADES: Final = (OPTIMAL, "equivalent", "acceptable", "degraded")
_DATA: Final = Path(__file__).parent / "data"


class Kind(StrEnum):
    """The expected response of a sentence; `_missing_` reads the terms of the data."""

    COMMAND = "command"
    QUESTION = "question"
    TALK = "talk"
    """Conversation, general knowledge and what the home cannot do: no call."""

    UNCLEAR = "unclear"
    """Incomplete or ambiguous: no call."""

    IMPOSSIBLE = "impossible"
    """About devices or abilities that do not exist: no call."""

    @classmethod
    def _missing_(cls, value: object) -> Kind | None:
        return {
            "action_done": cls.COMMAND,
            "query_response": cls.QUESTION,
            "text_response": cls.TALK,
            "clarification": cls.UNCLEAR,
            "error": cls.IMPOSSIBLE,
        }.get(str(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentCall:
    """A call of a tool of Home Assistant's Assist API, as the data writes it."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSet:
    """Calls that are right together; none if it is right to do nothing."""

    grade: str
    calls: tuple[IntentCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideCase:
    """One sentence in one home."""

    id: str
    size: str
    said: str
    kind: Kind
    accepted: tuple[CallSet, ...]
    """The expected calls first, then the alternatives, best grade first."""

    targets: frozenset[str]
    """Entity ids that the data names; they tell entities of the same name apart."""

    @property
    def wants_no_call(self) -> bool:
        """The data expects that nothing is called."""
        return not self.accepted[0].calls

    @property
    def order(self) -> str:
        """A key that sorts cases at random, always in the same way."""
        return hashlib.sha256(self.id.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideEntity:
    """One entity of a home, in the state that the data gives it."""

    entity_id: str
    name: str
    area: str | None
    """Id of its area."""

    state: str
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def domain(self) -> str:
        """The domain of its id."""
        return self.entity_id.partition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideArea:
    """An area; the largest home has no floors."""

    id: str
    name: str
    floor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The areas and entities of a home."""

    areas: tuple[OutsideArea, ...]
    entities: tuple[OutsideEntity, ...]


@cache
def layout(size: str) -> Layout:
    """Return the home of a size."""
    folder = _DATA / "inventories" / size
    files = {path.stem: load_yaml_dict(str(path)) for path in sorted(folder.glob("*.yaml"))}
    areas = tuple(
        OutsideArea(id=each["id"], name=each["name"], floor=each.get("floor"))
        for each in files.pop("areas")["areas"]
    )
    entities = tuple(
        OutsideEntity(
            entity_id=each["entity_id"],
            name=each["name"],
            area=each["area"],
            state=each["state"],
            attributes=each.get("attributes") or {},
        )
        for file in files.values()
        for each in file["entities"]
    )
    return Layout(areas=areas, entities=entities)


@cache
def cases() -> tuple[OutsideCase, ...]:
    """Return all 456 cases, by home; in a home, any first part is a random sample."""
    return tuple(
        case for size in SIZES for case in sorted(_cases(size), key=lambda case: case.order)
    )


def _cases(size: str) -> Iterator[OutsideCase]:
    for path in (_DATA / "test_cases" / size).glob("*.ndjson"):
        for line in path.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            others = [
                CallSet(grade=each["quality"], calls=_calls(each["tool_calls"]))
                for each in data["alternative_expected_tool_calls"]
            ]
            expected = CallSet(grade=OPTIMAL, calls=_calls(data["expected_tool_calls"]))
            yield OutsideCase(
                # Some sentences have the same id in each home.
                id=f"{size}-{data['id'].removeprefix(f'{size}-')}",
                size=size,
                said=data["utterance"],
                kind=Kind(data["expected_response_type"]),
                accepted=(expected, *sorted(others, key=lambda each: GRADES.index(each.grade))),
                targets=frozenset(data["metadata"]["target_entities"]),
            )


def _calls(data: Sequence[Mapping[str, Any]]) -> tuple[IntentCall, ...]:
    return tuple(IntentCall(name=each["name"], arguments=each["arguments"]) for each in data)


def stratified(known: Sequence[OutsideCase], count: int) -> list[OutsideCase]:
    """Return `count` cases, of each home and kind in proportion; always the same ones.

    Each stratum gets the whole part of its share, and the largest remainders one more.
    """
    strata: dict[tuple[str, Kind], list[OutsideCase]] = {}
    for case in known:
        strata.setdefault((case.size, case.kind), []).append(case)
    count = min(count, len(known))
    shares = {key: len(some) * count / len(known) for key, some in strata.items()}
    sizes = {key: int(share) for key, share in shares.items()}
    by_remainder = sorted(shares, key=lambda key: sizes[key] - shares[key])
    for key in by_remainder[: count - sum(sizes.values())]:
        sizes[key] += 1
    chosen = {
        case.id
        for key, some in strata.items()
        for case in sorted(some, key=lambda case: case.order)[: sizes[key]]
    }
    return [case for case in known if case.id in chosen]
