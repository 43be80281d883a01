"""What the model decides in the stories of the doors."""

from benchmark.model_script import Completion
from tests.decisions import Decides, claim, plan, step

DECIDES = Decides("native")
LONG_ANSWER = "The kitchen light is off. All others in the kitchen are off, too. It is dark there."
KITCHEN_LIGHT = "light.kitchen_light"


def turn_on_the_kitchen_light(answer: str = "The kitchen light is on.") -> tuple[Completion, ...]:
    return (
        DECIDES.call(
            "device_interaction", timing="now", command="turn on the kitchen light", final=True
        ),
        plan(step("command", "kitchen_light", capabilities=("light",))),
        DECIDES.call("execute_command", devices=["kitchen_light"], command="turn_on"),
        DECIDES.finish("acted", answer),
    )


def read_the_kitchen_light(answer: str = LONG_ANSWER) -> tuple[Completion, ...]:
    return (
        DECIDES.call(
            "device_interaction", timing="now", command="is the kitchen light on", final=True
        ),
        plan(step("read", "kitchen_light", capabilities=("light",))),
        DECIDES.call("read_attributes", devices=["kitchen_light"]),
        DECIDES.finish("answered", answer, claim("kitchen_light", "off", "read")),
    )


def ask(question: str) -> Completion:
    return DECIDES.call("human_interaction", question=question)
