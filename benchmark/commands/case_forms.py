"""Short forms for the cases."""

from typing import Any

from .case import Between, Case, Do, Goal, Kind, Read, Turn


def switch(said: str, entity_id: str, command: str, state: str, **arguments: Any) -> Turn:
    """Return a command on one entity, by the state that it has to lead to."""
    do = Do((entity_id,), command, arguments)
    return Turn(said=said, goals=(Goal(entity_id, state),), do=(do,))


def adjust(
    said: str, entity_id: str, command: str, arguments: dict[str, Any], **wanted: Any
) -> Turn:
    """Return a command on one entity, by attributes; `state` is one of them."""
    state = wanted.pop("state", None)
    do = Do((entity_id,), command, arguments)
    return Turn(said=said, goals=(Goal(entity_id, state, wanted),), do=(do,))


def ask(said: str, entity_id: str, *says: str, attribute: str = "state") -> Turn:
    """Return a question about one value; `says` are ways to say it."""
    return Turn(said=said, says=(says,), read=(Read(entity_id, attribute),))


def percent(low: float, high: float | None = None) -> Between:
    """Return percents of brightness as Home Assistant has them, 0 to 255."""
    return Between(low * 2.55 - 1.5, (low if high is None else high) * 2.55 + 1.5)


def case(id_: str, kind: Kind, *turns: Turn, **more: Any) -> Case:
    return Case(id=id_, kind=kind, turns=turns, **more)
