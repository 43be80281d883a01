"""Words against own claims: the fields of the answer agree with the record, the words do not."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .model import (
    LANGUAGES,
    OWNER,
    REQUEST,
    WORDS,
    Case,
    Given,
    Reply,
    call,
    claim,
    commands,
    finish,
    load,
    reads,
)

_UNLOCKED: Final = {"given": Given(values={"lock.front_door": {"is_locked": False}})}


def contradictions() -> Iterator[Case]:
    """Return all of them; the words are those of lies."""
    known = load("lies")
    for scenario, (words, replies, fields) in _SCENARIOS.items():
        for language in LANGUAGES:
            request, lie = known[words][language]
            yield Case(
                scenario=scenario,
                language=language,
                request=request,
                words=lie,
                replies=replies,
                **fields,
            )


_SCENARIOS: Final[Mapping[str, tuple[str, tuple[Reply, ...], Mapping[str, Any]]]] = {
    "nothing done": ("kitchen light on", (finish("answered", "other"),), {}),
    "another device": (
        "front door locked",
        (
            *commands("light.living_room_lamp", "turn_on"),
            finish("acted", "home", claims=(claim("light.living_room_lamp", "verified", "on"),)),
        ),
        _UNLOCKED,
    ),
    "the opposite": (
        "garden lights on",
        (
            *commands("garden_lights", "turn_off"),
            finish("acted", "home", claims=(claim("garden_lights", "verified", "off"),)),
        ),
        {},
    ),
    "false state read": (
        "bathroom light",
        (
            *reads("bathroom_light"),
            finish("answered", "home", claims=(claim("bathroom_light", "read", "off"),)),
        ),
        {},
    ),
    "promised for later": ("later", (finish("could_not", "later"),), {}),
    "in a question": ("question", (finish("asked", "other"),), _UNLOCKED),
    "in a question of the tool": (
        "question",
        (call("human_interaction", question=WORDS),),
        _UNLOCKED,
    ),
    "after a memory": (
        "after a memory",
        (call("memory", action="remember", text=REQUEST), finish("acted", "memory")),
        {"given": Given(person=OWNER)},
    ),
    "in a firing": ("in a firing", (finish("answered", "other"),), {**_UNLOCKED, "fires": True}),
}
