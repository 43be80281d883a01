"""What the model decides in the stories of the doors."""

from benchmark.model_script import Completion
from tests.decisions import NATIVE, claim, step

LONG_ANSWER = "The kitchen light is off. All others in the kitchen are off, too. It is dark there."
KITCHEN_LIGHT = "light.kitchen_light"


def turn_on_the_kitchen_light(answer: str = "The kitchen light is on.") -> tuple[Completion, ...]:
    return (
        *NATIVE.planned(
            "turn on the kitchen light", step("command", "kitchen_light", capabilities=("light",))
        ),
        NATIVE.execute("kitchen_light", command="turn_on"),
        NATIVE.finish("acted", answer),
    )


def read_the_kitchen_light(answer: str = LONG_ANSWER) -> tuple[Completion, ...]:
    return (
        *NATIVE.planned(
            "is the kitchen light on", step("read", "kitchen_light", capabilities=("light",))
        ),
        NATIVE.call("read_attributes", devices=["kitchen_light"]),
        NATIVE.finish("answered", answer, claim("kitchen_light", "off", "read")),
    )


def ask(question: str) -> Completion:
    return NATIVE.call("human_interaction", question=question)
