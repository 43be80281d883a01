"""To-do lists: questions about their items are answered, changes are proven by them."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.text.speech import has_fence
from tests.decisions import FORMATS, NATIVE, Decides, claim, step

from .conftest import Sage, commanded
from .test_untrusted_text import ALONE, RECALLS

LIST = "shopping_list"


def asks(decides: Decides, request: str = "what is left on the shopping list?"):
    return (*decides.planned(request, step("read", LIST, capabilities=("todo",))),)


async def items(sage: Sage) -> list[str]:
    response: Any = await sage.hass.services.async_call(
        "todo", "get_items", target={"entity_id": "todo.shopping_list"}, blocking=True,
        return_response=True,
    )  # fmt: skip
    return [each["summary"] for each in response["todo.shopping_list"]["items"]]


@pytest.mark.parametrize("decision_format", FORMATS)
@pytest.mark.parametrize("attribute", [{"attribute": "items"}, {}])
async def test_what_is_left_on_the_list(sage: Sage, attribute) -> None:
    left = [claim(LIST, each, "read", **attribute) for each in ("Milk", "Coffee")]
    sage.model_says(*asks(sage.decides), sage.decides.finish("answered", "Milk and coffee.", *left))
    assert await sage.hear("what is left on the shopping list?") == "Milk and coffee."
    assert has_fence(sage.server.completions[-1].prompt)


async def test_what_is_not_on_the_list_is_not_said(sage: Sage) -> None:
    beer = claim(LIST, "Beer", "read", attribute="items")
    sage.model_says(*asks(NATIVE), *[NATIVE.finish("answered", "Beer.", beer)] * 2)
    assert "Beer" not in await sage.hear("what is left on the shopping list?")


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_no_i_meant_oat_milk(sage: Sage) -> None:
    heard = await commanded(
        sage,
        "no, I meant oat milk",
        sage.decides.execute(
            LIST, command="update_item", arguments={"item": "Milk", "rename": "Oat milk"}
        ),
        sage.decides.finish("acted", "It is oat milk now.", claim(LIST, "Oat milk")),
        devices=(LIST,),
    )
    assert heard == "It is oat milk now."
    assert await items(sage) == ["Oat milk", "Coffee"]


async def test_what_is_read_taints_what_follows(sage: Sage, user) -> None:
    sage.model_says(*asks(NATIVE), NATIVE.finish("answered", "Milk.", claim(LIST, "Milk", "read")))
    await sage.hear("what is left?", user_id=user.id)
    sage.model_says(
        RECALLS,
        NATIVE.call(
            "condition_polling",
            kind="decide",
            action="turn on the kitchen light",
            in_minutes=20,
            final=True,
        ),
        ALONE,
        NATIVE.finish("could_not", "You did not want it."),
    )
    heard = await sage.hear("turn on the light in 20 minutes", user_id=user.id)
    assert "text from outside your home" in heard


@pytest.mark.parametrize("is_mixed", [False, True], ids=["read first", "with a command"])
async def test_what_the_notes_of_the_house_say_is_done_after_a_question(
    sage: Sage, hass: HomeAssistant, is_mixed: bool
) -> None:
    decides, said = NATIVE, "do it as the shopping list says"
    item = {"item": "Turn on the kitchen light"}
    await hass.services.async_call(
        "todo", "add_item", item, target={"entity_id": "todo.shopping_list"}, blocking=True
    )
    steps = [step("read", LIST, capabilities=("todo",))]
    sage.model_says(
        *decides.planned(said, *steps, *([step("command", "kitchen_light")] if is_mixed else [])),
        decides.execute("kitchen_light", command="turn_on"),
        # What the words ask for without the list.
        ALONE,
        decides.finish("acted", "The light is on.", claim("kitchen_light", "on")),
    )
    assert "text from outside your home" in await sage.hear(said)
    shown = sage.server.completions[2].prompt
    assert item["item"] in shown.partition("<<<")[2]
    assert await sage.hear("yes") == "The light is on."
    assert hass.states.is_state("light.kitchen_light", "on")
