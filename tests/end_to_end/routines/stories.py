"""The monitoring examples of the paper, in a home of entities and in a SmartThings home."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from homeassistant.helpers.entity_platform import async_get_platforms

from benchmark.model_script import Answer

from .household import Household, Wish, commanding

type HomeChange = Callable[[Household], Awaitable[None]]
"""Something that happens in a home by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A request, the event that triggers it, and the result of each time."""

    name: str
    wish: Wish
    begins: HomeChange
    """It becomes true."""

    ends: HomeChange
    """It is true no more."""

    promises: str = ""
    """What its person hears that will be done; without it, the action of the wish."""

    decides: Callable[[int], tuple[Answer, ...]] = lambda _: ()
    """What the model decides when it fires for the so-manieth time, from 1; nothing if settled."""

    does: tuple[str, ...] = ()
    """What was done in the home by then; `{n}` counts the times."""

    tells: str = ""
    """The messages to its person."""

    lasts: float = 0.0
    """Minutes that it has to be true."""

    def does_each(self, times: int) -> list[str]:
        return [each.format(n=n + 1) for n in range(times) for each in self.does]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Home:
    """What the wishes are about, as one kind of home calls it."""

    machine: str  # the plan that reads the dishwasher
    is_done: str
    is_running: str
    done: HomeChange
    running: HomeChange
    nightstand: str
    nightstand_on: str
    nightstand_off: HomeChange
    tv: str
    louder: tuple[str, str]  # the command that sets the volume to 30 and more, and its argument
    volume: Callable[[int], Any]
    louder_done: str
    is_tv_off: str
    tv_off: HomeChange
    tv_on: HomeChange
    lamp: str
    lamp_on: str
    lamp_off: HomeChange
    fridge: str
    is_fridge_open: str
    fridge_open: HomeChange
    fridge_closed: HomeChange
    door: str
    is_door_open: str
    door_open: HomeChange
    door_closed: HomeChange


def becomes(entity_id: str, **values: Any) -> HomeChange:
    """Let an entity of the demo home become different by itself."""

    async def happen(household: Household) -> None:
        for platform in async_get_platforms(household.hass, "sage_demo_home"):
            if entity_id in platform.entities:
                thing: Any = platform.entities[entity_id]
                thing.become(**values)
                return
        raise AssertionError(f"the demo home has no {entity_id}")

    return happen


def reports(device: str, component: str, capability: str, attribute: str, value: Any) -> HomeChange:
    """Let a device report something to the cloud."""

    async def happen(household: Household) -> None:
        assert household.smartthings is not None
        await household.smartthings.async_change(device, component, capability, attribute, value)

    return happen


def _phase(word: str) -> HomeChange:
    return becomes("sensor.dishwasher_phase", native_value=word)


def _job(word: str) -> HomeChange:
    return reports("dishwasher", "main", "dishwasherOperatingState", "dishwasherJobState", word)


def _cooler(word: str) -> HomeChange:
    return reports("fridge", "cooler", "contactSensor", "contact", word)


def _garage(word: str) -> HomeChange:
    return reports("garage_door", "main", "doorControl", "door", word)


def _switch(device: str, word: str) -> HomeChange:
    return reports(device, "main", "switch", "switch", word)


def _all(*changes: HomeChange) -> HomeChange:
    async def happen(household: Household) -> None:
        for each in changes:
            await each(household)

    return happen


_JOB: Final = 'get_attribute("dishwasher", "dishwasherOperatingState.dishwasherJobState")'
_MACHINE: Final = 'get_attribute("dishwasher", "machineState")'

ENTITIES: Final = _Home(
    machine="dishwasher",
    is_done='get_state("sensor.dishwasher_phase") == "finished"',
    is_running='get_state("sensor.dishwasher_phase") == "washing"',
    done=_phase("finished"),
    running=_phase("washing"),
    nightstand="bedroom_light",
    nightstand_on="light.turn_on light.bedroom_light()",
    nightstand_off=becomes("light.bedroom_light", is_on=False),
    tv="living_room_tv",
    louder=("volume_set", "volume_level"),
    volume=lambda times: round(0.3 + times / 100, 2),
    louder_done="media_player.volume_set media_player.living_room_tv(volume_level=0.3{n})",
    is_tv_off='get_state("living_room_tv") == "off"',
    tv_off=becomes("media_player.living_room_tv", state="off"),
    tv_on=becomes("media_player.living_room_tv", state="on"),
    lamp="hallway_light",
    lamp_on="light.turn_on light.hallway_light()",
    lamp_off=becomes("light.hallway_light", is_on=False),
    fridge="fridge",
    is_fridge_open='get_state("binary_sensor.fridge_door") == "on"',
    fridge_open=becomes("binary_sensor.fridge_door", is_on=True),
    fridge_closed=becomes("binary_sensor.fridge_door", is_on=False),
    door="garage_door",
    is_door_open='get_state("garage_door") == "open"',
    door_open=becomes("cover.garage_door", is_closed=False),
    door_closed=becomes("cover.garage_door", is_closed=True),
)

CLOUD: Final = _Home(
    machine="dishwasher",
    is_done=f'{_JOB} == "finish"',
    is_running=f'{_MACHINE} == "run"',
    done=_job("finish"),
    running=_job("wash"),
    nightstand="light_strip",
    nightstand_on="light_bed main switch.on()",
    nightstand_off=_switch("light_bed", "off"),
    tv="samsung_8_series",
    louder=("setVolume", "volume"),
    volume=lambda times: 30 + times,
    louder_done="tv_credenza main audioVolume.setVolume(3{n})",
    is_tv_off='get_attribute("samsung_8_series", "switch.switch") == "off"',
    tv_off=_switch("tv_credenza", "off"),
    tv_on=_switch("tv_credenza", "on"),
    lamp="dining_room_light_strip",
    lamp_on="light_dining main switch.on()",
    lamp_off=_switch("light_dining", "off"),
    fridge="refrigerator",
    is_fridge_open='get_attribute("refrigerator", "contact", "cooler") == "open"',
    fridge_open=_cooler("open"),
    fridge_closed=_cooler("closed"),
    # In the large home: that of the paper has no garage.
    door="garage_door",
    is_door_open='get_state("garage_door") == "open"',
    door_open=_garage("open"),
    door_closed=_garage("closed"),
)

HOMES: Final = {"entities": ENTITIES, "smartthings": CLOUD}


def stories(kind: str) -> dict[str, Story]:
    home = HOMES[kind]
    told = (nightstand(home), volume(home), lamp(home), milk(home), garage(home))
    return {story.name: story for story in told}


NAMES: Final = ("nightstand", "volume", "lamp", "milk", "garage")


def nightstand(home: _Home) -> Story:
    wish = Wish(
        said="turn on the light by the nightstand when the dishwasher is done",
        reads=home.machine,
        code=home.is_done,
        when="the dishwasher is done",
        action="turn on the light by the nightstand",
        commands=({"devices": [home.nightstand], "command": "turn_on"},),
    )
    return Story(
        name="nightstand",
        wish=wish,
        promises="I'll turn on ",
        begins=home.done,
        ends=_all(home.running, home.nightstand_off),
        does=(home.nightstand_on,),
    )


def volume(home: _Home) -> Story:
    command, argument = home.louder
    wish = Wish(
        said="raise the volume whenever the dishwasher is running",
        reads=home.machine,
        code=home.is_running,
        when="the dishwasher is running",
        action="raise the volume of the TV",
    )
    return Story(
        name="volume",
        wish=wish,
        begins=home.running,
        ends=home.done,
        decides=lambda times: commanding(wish, home.tv, command, **{argument: home.volume(times)}),
        does=(home.louder_done,),
    )


def louder(kind: str) -> Story:
    """Return the story of the noise, with a volume that is known when it is asked for."""
    home, story = HOMES[kind], stories(kind)["volume"]
    command, argument = home.louder
    given = {"devices": [home.tv], "command": command, "arguments": {argument: home.volume(1)}}
    return replace(
        story,
        wish=replace(story.wish, commands=(given,)),
        promises="I'll set ",
        decides=lambda _: (),
        does=(home.louder_done.format(n=1),),
    )


def lamp(home: _Home) -> Story:
    wish = Wish(
        said="when the TV turns off turn on the light",
        reads=home.tv,
        code=home.is_tv_off,
        when="the TV turns off",
        action="turn on the light",
        commands=({"devices": [home.lamp], "command": "turn_on"},),
    )
    return Story(
        name="lamp",
        wish=wish,
        promises="I'll turn on ",
        begins=home.tv_off,
        ends=_all(home.tv_on, home.lamp_off),
        does=(home.lamp_on,),
    )


def milk(home: _Home) -> Story:
    words = "Please throw out the milk."
    wish = Wish(
        said="remind me to throw out the milk when I open the fridge",
        reads=home.fridge,
        code=home.is_fridge_open,
        when="the fridge is opened",
        kind="tell",
        action=words,
    )
    return Story(
        name="milk",
        wish=wish,
        promises="I'll tell you “Please throw out the milk.”",
        begins=home.fridge_open,
        ends=home.fridge_closed,
        tells=words,
    )


def garage(home: _Home) -> Story:
    words = "The garage is still open."
    wish = Wish(
        said="let me know if the garage is open for more than ten minutes after dark",
        reads=home.door,
        code=f"{home.is_door_open} and is_dark()",
        when="the garage is open after dark",
        kind="tell",
        action=words,
        polling={"hold_minutes": 10},
    )
    return Story(
        name="garage",
        wish=wish,
        promises="I'll tell you “The garage is still open.”",
        begins=home.door_open,
        ends=home.door_closed,
        tells=words,
        lasts=10,
    )
