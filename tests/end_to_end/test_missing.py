"""Given a request for what the home lacks, then the model says so at once, and code proves it."""

import pytest

from tests.decisions import NATIVE, Decides, claim, in_turn

from .conftest import MakeSage, Sage
from .test_direct_command import command, ending

LACKS = (
    ("turn on the sauna", "sauna", "Nothing here is called sauna. Kinds of devices here: "),
    ("turn on the bathroom speaker", "speaker in the bathroom", "Nothing else is in Bathroom."),
    ("the TV in the kitchen on, please", "kitchen TV", "Nothing else is in Kitchen."),
    ("turn on the light in the attic", "attic", "Nothing here is called attic. All rooms: "),
    ("is the light in the attic on?", "light in the attic", "All rooms: First Floor: Bathroom, "),
    ("Licht im Wintergarten an", "Wintergarten", "Nothing here is called wintergarten. All rooms:"),
)
"""A request, what it lacks in the person's words, and what the prompt shows of it."""


@pytest.mark.parametrize(("name", "case"), in_turn(LACKS))
async def test_what_the_home_lacks_is_said_with_one_call(make_sage: MakeSage, name, case) -> None:
    said, missing, shown = case
    sage, answer = await make_sage(name), "There is no such thing here."
    sage.model_says(Decides(name).calls(ending("could_not", answer, claim(missing, "", "missing"))))
    assert await sage.hear(said) == answer
    assert sage.model_calls == 1
    assert shown in sage.server.completions[0].prompt


HAS = (
    ("kitchen lamp", "kitchen_light"),
    ("kitchen_light", "kitchen_light"),
    ("Kitchen", "kitchen_light"),
    ("ligths", "garden_lights"),
    ("kitchen plug", "coffee_maker"),
    ("skylight", "garage_light"),
)
"""What is not missing, and a device that it may mean."""


@pytest.mark.parametrize(("name", "case"), in_turn(HAS))
async def test_what_may_be_there_is_not_missing(hass, make_sage: MakeSage, name, case) -> None:
    (missing, device), decides = case, Decides(name)
    sage, answer = await make_sage(name), "The kitchen light is on."
    sage.model_says(
        decides.calls(ending("could_not", "No such lamp.", claim(missing, "", "missing"))),
        decides.calls(
            command("kitchen_light", "turn_on"),
            ending("acted", answer, claim("kitchen_light", "on")),
        ),
    )
    assert await sage.hear("turn on the kitchen lamp") == answer
    assert f'"{missing}" may not be missing: ' in sage.server.completions[1].prompt
    assert device in sage.server.completions[1].prompt.rpartition("may not be missing")[2]
    assert hass.states.get("light.kitchen_light").state == "on"


async def test_a_part_is_done_and_the_other_is_missing(hass, sage: Sage) -> None:
    answer = "The kitchen light is on, but there is no pool pump here."
    sage.model_says(
        NATIVE.calls(
            command("kitchen_light", "turn_on"),
            ending(
                "acted", answer, claim("kitchen_light", "on"), claim("pool pump", "", "missing")
            ),
        )
    )
    assert await sage.hear("turn on the kitchen light and the pool pump") == answer
    assert hass.states.get("light.kitchen_light").state == "on"
    assert sage.model_calls == 1


async def test_a_name_that_is_only_similar_is_missing_if_the_model_insists(sage: Sage) -> None:
    answer = "There is no skylight here."
    says = NATIVE.calls(ending("could_not", answer, claim("skylight", "", "missing")))
    sage.model_says(says, says)
    assert await sage.hear("open the skylight") == answer
    assert sage.model_calls == 2


async def test_a_device_is_not_missing_even_if_the_model_insists(sage: Sage) -> None:
    lies = NATIVE.calls(
        ending("could_not", "There is no kitchen lamp.", claim("kitchen lamp", "", "missing"))
    )
    sage.model_says(lies, lies)
    assert "no kitchen lamp" not in await sage.hear("is the kitchen lamp on?")
