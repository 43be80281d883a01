"""Given aliases and labels, when a person uses them, then they stand beside the device's name."""

from collections.abc import Iterable

import pytest
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.entity_platform import async_get_platforms

from benchmark.model_script import Completion
from tests.decisions import NATIVE, claim
from tests.home.entity_kinds import Light, Lock, Plug, TestEntity

from .attacker import services_called
from .conftest import MakeSage, Sage, device_of


async def furnish(
    hass: HomeAssistant,
    *entities: TestEntity,
    area: str = "",
    aliases: Iterable[str] = (),
    labels: Iterable[str] = (),
) -> None:
    """Add entities to the demo home, exposed, with these names of area, aliases and labels."""
    registry = er.async_get(hass)
    for entity in entities:
        platforms = async_get_platforms(hass, "sage_demo_home")
        platform = next(each for each in platforms if each.domain == entity.domain)
        await platform.async_add_entities([entity])
        await hass.async_block_till_done()
        if area:
            place = ar.async_get(hass).async_get_or_create(area)
            device_id = device_of(hass, entity.entity_id)
            dr.async_get(hass).async_update_device(device_id, area_id=place.id)
        ids = {label_of(hass, each) for each in labels}
        registry.async_update_entity(entity.entity_id, aliases=[*aliases], labels=ids)
        async_expose_entity(hass, "conversation", entity.entity_id, True)
    await hass.async_block_till_done()


def label_of(hass: HomeAssistant, name: str) -> str:
    """Return the id of a label, which is created if it does not exist."""
    registry = lr.async_get(hass)
    return (registry.async_get_label_by_name(name) or registry.async_create(name)).label_id


def does(command: str, *devices: str, final: bool = True) -> Completion:
    return NATIVE.execute(*devices, command=command, timing="now", final=final)


async def told(sage: Sage, said: str, *script: Completion) -> str:
    """Say something; return the first prompt's part about it. By default the model does nothing."""
    sage.model_says(*(script or [NATIVE.finish("could_not", "No.")]))
    await sage.hear(said)
    prompt = sage.server.completions[0].prompt
    return prompt[prompt.rindex("Person:") : prompt.rindex("Request:")]


# ---------------------------------------------------------------- aliases


@pytest.fixture
async def sockets(hass, make_sage: MakeSage) -> Sage:
    """Two sockets of a strip; the aliases say what is plugged in (core #176324)."""
    await furnish(hass, Light("Multisocket Switch 2"), aliases=["Salt lamp", "Himalaya"])
    await furnish(hass, Light("Multisocket Switch 3"), aliases=["Fish tank light"])
    return await make_sage()


async def test_alias_in_the_prompt(sockets: Sage) -> None:
    shown = await told(sockets, "turn on the salt lamp, but not the fish tank light")
    assert 'multisocket_switch_2 "Salt lamp (Multisocket Switch 2)"' in shown
    assert 'multisocket_switch_3 "Fish tank light (Multisocket Switch 3)"' in shown


@pytest.mark.parametrize(
    ("said", "alias"),
    [
        ("turn on the himalaya", "Himalaya"),
        ("turn on the SALT-LAMPS", "Salt lamp"),
        ("turn on the salt lmap", "Salt lamp"),
        ("schalte die Salt Lamp ein", "Salt lamp"),
    ],
)
async def test_alias_in_other_forms(sockets: Sage, said: str, alias: str) -> None:
    shown = await told(sockets, said)
    assert f'"{alias} (Multisocket Switch 2)"' in shown
    assert "Fish" not in shown


async def test_no_alias_without_a_match(sockets: Sage) -> None:
    shown = await told(sockets, "turn on multisocket switch 2")
    assert "multisocket_switch_2" in shown
    assert "Salt lamp" not in shown


async def test_alias_that_is_spelled_like_the_name(hass, make_sage: MakeSage) -> None:
    await furnish(hass, Light("Café Lampe"), aliases=["cafe-lampe", "CAFÉ LAMPE"])
    shown = await told(await make_sage(), "turn on the cafe lampe")
    assert "cafe_lampe" in shown
    assert "(Café" not in shown


@pytest.mark.parametrize("language", ["en", "de", "fr"])
async def test_alias_is_spoken(hass, sockets: Sage, language: str) -> None:
    sockets.model_says(does("turn_on", "multisocket_switch_2"))
    heard = await sockets.hear("salt lamp: on", language=language)
    assert heard.startswith("Salt lamp (Multisocket Switch 2)")
    assert hass.states.get("light.multisocket_switch_2").state == "on"


async def test_alias_of_a_part_of_a_device(hass, make_sage: MakeSage) -> None:
    await furnish(hass, Plug("Outlet 1", device="Strip"), aliases=["Salt lamp"])
    await furnish(hass, Plug("Outlet 2", device="Strip"), aliases=["Fish tank"])
    sage = await make_sage()
    shown = await told(
        sage, "turn on the salt lamp, not the fish tank", does("turn_on", "switch.outlet_1")
    )
    assert '"Salt lamp (Strip)" component switch.outlet_1' in shown
    assert '"Fish tank (Strip)" component switch.outlet_2' in shown
    assert spoken_last(sage).startswith("Salt lamp (Strip Outlet 1) is")


async def test_name_of_a_part_that_its_id_does_not_tell(hass, make_sage: MakeSage) -> None:
    await furnish(hass, Plug("Outlet 1", device="Strip"), Plug("Outlet 2", device="Strip"))
    er.async_get(hass).async_update_entity("switch.outlet_2", name="Fish tank")
    await hass.async_block_till_done()
    shown = await told(await make_sage(), "turn on the fish tank and outlet 1")
    assert '"Fish tank (Strip)" component switch.outlet_2' in shown
    assert "Outlet 1 (Strip)" not in shown


def spoken_last(sage: Sage) -> str:
    return str(sage.trace["answer"])


async def test_alias_in_a_question(hass, make_sage: MakeSage, user: User) -> None:
    await furnish(hass, Lock("Bolt 7"), aliases=["Shed door"])
    sage = await make_sage()
    sage.model_says(does("unlock", "bolt_7"))
    question = await sage.hear("unlock the shed door", user_id=user.id)
    assert question == "Shall I really unlock Shed door (Bolt 7)?"
    assert hass.states.get("lock.bolt_7").state == "locked"


async def test_alias_in_a_question_about_two_of_one_name(
    hass, make_sage: MakeSage, user: User
) -> None:
    await furnish(hass, Lock("Bolt", device="Left"), area="Shed", aliases=["Shed door"])
    hass.states.async_set("lock.other", "locked", {"friendly_name": "Left Bolt"})
    async_expose_entity(hass, "conversation", "lock.other", True)
    sage = await make_sage()
    sage.model_says(does("unlock", "lock.bolt"))
    question = await sage.hear("unlock the shed door", user_id=user.id)
    assert question == "Shall I really unlock Shed door (Left Bolt, Shed)?"


async def test_alias_beside_the_nearest_devices(sockets: Sage) -> None:
    wrong = does("turn_on", "himalaya_salt")
    sockets.model_says(wrong, NATIVE.finish("could_not", "No."))
    await sockets.hear("turn on something")
    error = str(sockets.server.completions[1].messages[-1]["content"])
    assert 'multisocket_switch_2 "Himalaya (Multisocket Switch 2)"' in error


async def test_name_with_alias_is_a_name_of_the_device(hass, sockets: Sage) -> None:
    """Models repeat names as they stand in the prompt."""
    named = "Salt lamp (Multisocket Switch 2)"
    sockets.model_says(
        NATIVE.calls(
            (
                "execute_command",
                {"devices": [named], "command": "turn_on", "timing": "now", "final": True},
            ),
            (
                "finish",
                {
                    "kind": "acted",
                    "about": ["home"],
                    "claims": [claim(named, "on")],
                    "answer": "The salt lamp is on.",
                },
            ),
        )
    )
    assert await sockets.hear("turn on the salt lamp") == "The salt lamp is on."
    assert hass.states.get("light.multisocket_switch_2").state == "on"


# ---------------------------------------------------------------- areas, floors and labels


@pytest.fixture
async def loft(hass, make_sage: MakeSage) -> Sage:
    """A room and a floor with aliases, and a label; extended_openai #190, ha-mcp #2235."""
    floor = fr.async_get(hass).async_create("Dachgeschoß", aliases={"attic"})
    area = ar.async_get(hass).async_get_or_create("Gästezimmer")
    ar.async_get(hass).async_update(area.id, floor_id=floor.floor_id, aliases={"guest room"})
    await furnish(hass, Light("Star"), area="Gästezimmer", labels=["Christmas decorations"])
    await furnish(hass, Plug("Tree"), labels=["Christmas decorations"])
    return await make_sage()


@pytest.mark.parametrize(
    "group",
    [
        "all light in guest room",
        "all light in the Guest Room",
        "all light in attic",
        "all light in Dachgeschoss",
        "all light in christmas decorations",
        "all Christmas decorations",
    ],
)
async def test_group_of_an_alias_or_label(hass, loft: Sage, group: str) -> None:
    loft.model_says(does("turn_on", group))
    assert "Star" in await loft.hear(f"turn on {group}")
    assert hass.states.get("light.star").state == "on"
    assert (hass.states.get("switch.tree").state == "on") == (group == "all Christmas decorations")


@pytest.mark.parametrize(
    ("said", "group"),
    [
        ("turn on all Christmas decorations", '"all Christmas decorations" (label)'),
        ("decorations on", '"all Christmas decorations" (label)'),
        ("lights on in the attic", '"all ... in attic" (floor Dachgeschoß)'),
        ("guest room dark", '"all ... in guest room" (area Gästezimmer)'),
    ],
)
async def test_prompt_names_the_group(loft: Sage, said: str, group: str) -> None:
    shown = await told(loft, said)
    assert f"Groups: {group}." in shown
    assert "star" in shown


async def test_label_that_is_called_like_a_kind_is_no_group(hass, loft: Sage) -> None:
    await furnish(hass, Light("Candle"), labels=["Light"])
    assert "(label)" not in await told(loft, "turn on the light")


async def test_alias_of_an_area_stands_beside_it(loft: Sage) -> None:
    assert "star (Gästezimmer, also guest room)" in await told(loft, "guest room dark")
    assert "also guest room" not in await told(loft, "gästezimmer dark")


async def test_members_of_a_label_that_are_not_exposed(hass, loft: Sage) -> None:
    called = services_called(hass)
    await furnish(hass, Light("Secret"), labels=["Christmas decorations", "Vault"])
    async_expose_entity(hass, "conversation", "light.secret", False)
    shown = await told(
        loft,
        "turn on all Christmas decorations and the vault",
        does("turn_on", "all Christmas decorations"),
    )
    assert "ecret" not in shown
    assert "Vault" not in shown
    assert called
    assert hass.states.get("light.secret").state == "off"


async def test_risky_member_of_a_label_needs_confirmation(hass, loft: Sage, user: User) -> None:
    await furnish(hass, Lock("Gate"), labels=["Christmas decorations"])
    loft.model_says(does("unlock", "all Christmas decorations"))
    question = await loft.hear("unlock all Christmas decorations", user_id=user.id)
    assert question == "Shall I really unlock Gate?"
    assert hass.states.get("lock.gate").state == "locked"


async def test_claim_about_a_label_is_checked(loft: Sage) -> None:
    claimed = NATIVE.finish("acted", "All are on.", claim("all Christmas decorations", "on"))
    loft.model_says(does("turn_on", "star", final=False), claimed, claimed)
    heard = await loft.hear("turn on the decorations")
    assert heard != "All are on."
    loft.model_says(does("turn_on", "all Christmas decorations", final=False), claimed)
    assert await loft.hear("turn on the decorations") == "All are on."


async def test_label_is_put_back(hass, loft: Sage) -> None:
    loft.model_says(does("turn_on", "all Christmas decorations"))
    await loft.hear("turn on the decorations")
    loft.model_says(
        NATIVE.call("undo", devices=["all Christmas decorations"]),
        NATIVE.finish("acted", "They are off.", claim("all Christmas decorations", "off")),
    )
    assert await loft.hear("put the decorations back") == "They are off."
    assert hass.states.get("light.star").state == hass.states.get("switch.tree").state == "off"
