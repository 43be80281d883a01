"""A home in which the cloud fails, and a model that claims that all went well."""

import asyncio
import re
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import HomeAssistant

from benchmark.model_script import Answer
from benchmark.simulator.cloud import SimulatedCloud
from benchmark.smartthings_home import mirror_of
from custom_components.sage.agent.loop import REPEATED
from tests.decisions import NATIVE, claim, step
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

LONGEST: Final = 30
"""Seconds for one request, on a slow machine; what hangs in the cloud hangs for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A command that only the raw view has, and what a model says of it that lies."""

    label: str
    device: str
    capability: str
    command: str
    argument: tuple[str, str]
    attribute: str
    before: str
    claim: str

    @property
    def place(self) -> tuple[str, str, str]:
        return "main", self.capability, self.attribute

    def decision(self) -> Answer:
        name, value = self.argument
        return NATIVE.execute(
            self.device, command=f"{self.capability}.{self.command}", arguments={name: value}
        )

    def finish(self, kind: str) -> Answer:
        """Return the decision to end with the claim that it is as was wished."""
        _, value = self.argument
        return NATIVE.finish(kind, self.claim, claim(self.device, value, attribute=self.attribute))

    def observed(self, became: str) -> str:
        name, value = self.argument
        return f"- {self.label} (main) {self.command}({name}={value}): {became}"


def television(label: str, device: str, before: str, claim: str) -> Wish:
    return Wish(
        label=label,
        device=device,
        capability="tvChannel",
        command="setTvChannel",
        argument=("tvChannel", "7"),
        attribute="tvChannel",
        before=before,
        claim=claim,
    )


def dishwasher(claim: str) -> Wish:
    return Wish(
        label="Dishwasher",
        device="dishwasher",
        capability="samsungce.dishwasherWashingCourse",
        command="setWashingCourse",
        argument=("course", "heavy"),
        attribute="washingCourse",
        before="normal",
        claim=claim,
    )


CHANNEL = television("Samsung 8 Series", "samsung_8_series", "4", "Channel 7 is on.")
KANAL = television("The Frame", "the_frame", "11", "Kanal 7 läuft.")
COURSE = dishwasher("The heavy course is set.")
PROGRAMM = dishwasher("Das Intensivprogramm ist eingestellt.")
ASKED = {
    CHANNEL: "put channel 7 on the living room TV",
    KANAL: "stell den Fernseher im Büro auf Kanal 7",
    COURSE: "dishes are greasy, set a fitting mode",
    PROGRAMM: "das Geschirr ist fettig, stell ein passendes Programm ein",
}


class FailingHome:
    """SAGE in the paper's home, with a model that does what it likes."""

    def __init__(self, sage: Sage, smartthings: SmartThings) -> None:
        self.sage = sage
        self.smartthings = smartthings

    @property
    def hass(self) -> HomeAssistant:
        return self.sage.hass

    @property
    def cloud(self) -> SimulatedCloud:
        return self.smartthings.cloud

    @property
    def posts(self) -> int:
        return self.cloud.count("POST", "/v1/devices/*/commands")

    def hurry(self, *, wait: float = 0.2, request: float | None = None) -> None:
        """Let a report be waited for only so long, and an answer of the cloud, too."""
        home = self.sage.entry.runtime_data.home
        home.waits.report_seconds = wait
        if request is not None:
            mirror_of(home).client.timeout = request

    async def hear(
        self, wish: Wish, *more: Answer, tries: int = 1, kind: str = "acted", language: str = "en"
    ) -> str:
        """Ask: the model sends the command so often, then `more`, and claims that it worked."""
        answers: list[Answer] = [
            *NATIVE.planned(
                ASKED[wish], step("command", wish.device, capabilities=(wish.capability,))
            ),
            *[wish.decision()] * tries,
            *more,
            *[wish.finish(kind)] * 2,
        ]
        self.sage.model_says()

        def decide(_: object) -> Answer:
            return answers[self.sage.model_calls - 1]

        self.sage.server.say(decide)
        async with asyncio.timeout(LONGEST):
            return _just_then(await self.sage.hear(ASKED[wish], language=language))

    def observation(self, number: int = 1) -> str:
        """Return the result of the model's command with this number, which it may have repeated."""
        text: str = self.sage.server.completions[2 + number].messages[-1]["content"]
        return _just_then(text.removesuffix(f"\n{REPEATED}"))

    def status(self, wish: Wish) -> Any:
        return self.cloud.device(wish.label).value(*wish.place)

    def everything(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return all states in Home Assistant and all values in the cloud."""
        states = {
            state.entity_id: (state.state, dict(state.attributes))
            for state in self.sage.hass.states.async_all()
            if state.domain != "conversation"
        }
        return states, {
            device.key: {
                (component, capability, attribute): deepcopy(told["value"])
                for component, capabilities in device.status.items()
                for capability, attributes in capabilities.items()
                for attribute, told in attributes.items()
            }
            for device in self.cloud.home.devices.values()
        }

    async def assert_serves(self) -> None:
        """Assert that the next request is served, as if nothing had been."""
        posts = self.posts
        self.sage.model_says(
            *NATIVE.planned(
                "freezer colder", step("command", "refrigerator", capabilities=("number",))
            ),
            NATIVE.execute(
                "refrigerator",
                component="freezer",
                command="thermostatCoolingSetpoint.setCoolingSetpoint",
                arguments={"setpoint": -20},
            ),
            NATIVE.finish("acted", "The freezer is set to -20 °C."),
        )
        said = "make the freezer two degrees colder"
        assert await self.sage.hear(said, language="en") == "The freezer is set to -20 °C."
        fridge = self.cloud.device("Refrigerator")
        assert fridge.value("freezer", "thermostatCoolingSetpoint", "coolingSetpoint") == -20
        assert self.posts == posts + 1


def _just_then(text: str) -> str:
    """Return a text as if no time had passed since the cloud named how long to wait."""
    return re.sub(r"\b2[5-9]\d (?=s\b|seconds|Sekunden)", "291 ", text)
