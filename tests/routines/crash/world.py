"""Events outside the process: sensors that change step by step."""

import random
from typing import Final

SENSORS: Final = tuple(f"binary_sensor.s{number}" for number in range(6))
STEPS: Final = 20_000

type Row = dict[str, str]
"""The state of each sensor."""


def steps(seed: int) -> list[Row]:
    """Return the script of a world: at each step some sensors change."""
    rng = random.Random(seed)
    row = dict.fromkeys(SENSORS, "off")
    script = []
    for _ in range(STEPS):
        row = row | {sensor: _next(rng, row[sensor]) for sensor in rng.sample(SENSORS, 3)}
        script.append(row)
    return script


def value_of(row: Row, sensor: str) -> bool | None:
    """Return what the condition of a sensor is: whether it is on, None if that is not known."""
    return None if row[sensor] == "unavailable" else row[sensor] == "on"


def _next(rng: random.Random, state: str) -> str:
    if rng.random() < 0.1:
        return "unavailable"
    return "off" if state == "on" else "on"
