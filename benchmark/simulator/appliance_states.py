"""What ovens and robot vacuums say in several capabilities."""

from collections.abc import Callable, Iterator, Mapping

from .rule_types import DeviceView, Setting

type Place = tuple[str, str]
type Rule = Callable[[DeviceView, Setting], Iterator[Setting]]


def _oven_job(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    """Let an oven cook while it runs; nobody waits for it to be done."""
    job = {"running": "cooking", "ready": "ready"}.get(str(setting.value))
    if job is not None:
        yield Setting(setting.component, "ovenOperatingState", "ovenJobState", job)
        yield Setting(setting.component, "samsungce.ovenOperatingState", "ovenJobState", job)


def _common_oven_mode(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    mode = _OVEN_MODES.get(str(setting.value), "Others")
    yield Setting(setting.component, "ovenMode", "ovenMode", mode)


def _makers_oven_mode(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    """Set the maker's mode too, if the oven has one that is the same."""
    capability = "samsungce.ovenMode"
    supported = device.value(setting.component, capability, "supportedOvenModes") or []
    for mode, common in _OVEN_MODES.items():
        if common == setting.value and mode in supported:
            yield Setting(setting.component, capability, "ovenMode", mode)
            return


def _robot_movement(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    movement = _MOVEMENTS.get(str(setting.value))
    if movement is not None:
        yield Setting(setting.component, "robotCleanerMovement", "robotCleanerMovement", movement)
    yield from _robot_modes(device, setting)


def _robot_modes(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    """Let it have a way of cleaning while it cleans, and none when it does not."""
    capability = "samsungce.robotCleanerCleaningMode"
    mode = device.value(setting.component, capability, "cleaningMode")
    if setting.value == "cleaning" and mode == "stop":
        yield Setting(setting.component, capability, "cleaningMode", "auto")
    elif setting.value in {"homing", "charging", "charged", "idle"}:
        yield Setting(setting.component, capability, "cleaningMode", "stop")


def _robot_state(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    for state, movement in _MOVEMENTS.items():
        if movement == setting.value:
            yield Setting(setting.component, *_ROBOT, state)
            return


def _common_cleaning_mode(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    mode = _CLEANING_MODES.get(str(setting.value), "auto")
    yield Setting(setting.component, "robotCleanerCleaningMode", "robotCleanerCleaningMode", mode)


_OVEN_MODES = {
    "Convection": "ConvectionBake",
    "ConvectionBake": "ConvectionBake",
    "ConvectionRoast": "ConvectionRoast",
    "Conventional": "Conventional",
    "Bake": "Bake",
    "Broil": "Broil",
    "LargeGrill": "Broil",
    "Grill": "grill",
    "KeepWarm": "warming",
    "MicroWave": "Microwave",
}
"""The maker's word -> the common one."""

_MOVEMENTS = {
    "cleaning": "cleaning",
    "homing": "homing",
    "charging": "charging",
    "charged": "charging",
    "idle": "idle",
    "paused": "pause",
}
"""What a robot is doing -> how it moves."""

_CLEANING_MODES = {"stop": "stop", "manual": "manual", "spot": "part", "area": "map"}

_ROBOT = ("samsungce.robotCleanerOperatingState", "operatingState")

APPLIANCE_RULES: Mapping[Place, tuple[Rule, ...]] = {
    ("ovenMode", "ovenMode"): (_makers_oven_mode,),
    ("ovenOperatingState", "machineState"): (_oven_job,),
    ("robotCleanerMovement", "robotCleanerMovement"): (_robot_state,),
    ("samsungce.ovenMode", "ovenMode"): (_common_oven_mode,),
    ("samsungce.ovenOperatingState", "operatingState"): (_oven_job,),
    ("samsungce.robotCleanerCleaningMode", "cleaningMode"): (_common_cleaning_mode,),
    _ROBOT: (_robot_movement,),
}
