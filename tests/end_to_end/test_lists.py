"""To-do lists: questions about their items are answered, changes are proven by them."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.text.speech import has_fence
from tests.decisions import FORMATS, Decides, claim, plan, step

from .conftest import MakeSage, Sage, commanded
from .test_untrusted_text import ALONE, RECALLS

LIST = "shopping_list"


def asks(decides: Decides, request: str = "what is left on the shopping list?"):
    return (
        decides.call("device_interaction", timing="now", command=request, final=True),
        plan(step("read", LIST, capabilities=("todo",))),
    )


async def items(sage: Sage) -> list[str]:
    response: Any = await sage.hass.services.async_call(
        "todo", "get_items", target={"entity_id": "todo.shopping_list"}, blocking=True,
        return_response=True,
    )  # fmt: skip
    return [each["summary"] for each in response["todo.shopping_list"]["items"]]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("attribute", [{"attribute": "items"}, {}])
async def test_what_is_left_on_the_list(make_sage: MakeSage, name, attribute) -> None:
    sage, decides = await make_sage(name), Decides(name)
    left = [claim(LIST, each, "read", **attribute) for each in ("Milk", "Coffee")]
    sage.model_says(*asks(decides), decides.finish("answered", "Milk and coffee.", *left))
    assert await sage.hear("what is left on the shopping list?") == "Milk and coffee."
    assert has_fence(sage.server.completions[-1].prompt)


async def test_what_is_not_on_the_list_is_not_said(sage: Sage) -> None:
    decides = Decides("native")
    beer = claim(LIST, "Beer", "read", attribute="items")
    sage.model_says(*asks(decides), *[decides.finish("answered", "Beer.", beer)] * 2)
    assert "Beer" not in await sage.hear("what is left on the shopping list?")


@pytest.mark.parametrize("name", FORMATS)
async def test_no_i_meant_oat_milk(make_sage: MakeSage, name) -> None:
    sage, decides = await make_sage(name), Decides(name)
    heard = await commanded(
        sage,
        "no, I meant oat milk",
        decides,
        decides.call(
            "execute_command",
            devices=[LIST],
            command="update_item",
            arguments={"item": "Milk", "rename": "Oat milk"},
        ),
        decides.finish("acted", "It is oat milk now.", claim(LIST, "Oat milk")),
        devices=(LIST,),
    )
    assert heard == "It is oat milk now."
    assert await items(sage) == ["Oat milk", "Coffee"]


async def test_what_is_read_taints_what_follows(sage: Sage, user) -> None:
    decides = Decides("native")
    sage.model_says(
        *asks(decides), decides.finish("answered", "Milk.", claim(LIST, "Milk", "read"))
    )
    await sage.hear("what is left?", user_id=user.id)
    sage.model_says(
        RECALLS,
        decides.call(
            "condition_polling",
            kind="decide",
            action="turn on the kitchen light",
            in_minutes=20,
            final=True,
        ),
        ALONE,
        decides.finish("could_not", "You did not want it."),
    )
    heard = await sage.hear("turn on the light in 20 minutes", user_id=user.id)
    assert "text from outside your home" in heard


@pytest.mark.parametrize("is_mixed", [False, True], ids=["read first", "with a command"])
async def test_what_the_notes_of_the_house_say_is_done_after_a_question(
    sage: Sage, hass: HomeAssistant, is_mixed: bool
) -> None:
    decides, said = Decides("native"), "do it as the shopping list says"
    item = {"item": "Turn on the kitchen light"}
    await hass.services.async_call(
        "todo", "add_item", item, target={"entity_id": "todo.shopping_list"}, blocking=True
    )
    steps = [step("read", LIST, capabilities=("todo",))]
    sage.model_says(
        decides.call("device_interaction", timing="now", command=said, final=True),
        plan(*steps, *([step("command", "kitchen_light")] if is_mixed else [])),
        decides.call("execute_command", devices=["kitchen_light"], command="turn_on"),
        # What the words ask for without the list.
        ALONE,
        decides.finish("acted", "The light is on.", claim("kitchen_light", "on")),
    )
    assert "text from outside your home" in await sage.hear(said)
    shown = sage.server.completions[2].prompt
    assert item["item"] in shown.partition("<<<")[2]
    assert await sage.hear("yes") == "The light is on."
    assert hass.states.is_state("light.kitchen_light", "on")
