"""The states of a machine that runs through a course: dishwasher, washing machine, dryer.

Such a machine says in up to five capabilities what it is doing and how far it is.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from .rule_types import DeviceView, Setting

type Place = tuple[str, str]
type Rule = Callable[[DeviceView, Setting], Iterator[Setting]]

DEFAULT_MINUTES = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A part of a course, with its value of each attribute."""

    words: tuple[str, ...]
    percentage: int
    """How far the machine is when the phase begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """The attributes in which a kind of machine reports its activity."""

    machine: Place
    """`run`, `pause` or `stop`."""
    operation: Place
    """The same as `running`, `paused` or `ready`."""
    jobs: tuple[Place, ...]
    phases: tuple[Phase, ...]
    """The first one is doing nothing, the second one is what a course begins with, the last
    one is being done."""
    percentages: tuple[Place, ...]
    completion: Place
    remaining: Place
    remaining_text: Place
    schedule: Place
    """The jobs of the course with their times."""

    def phase(self, job: Place, word: object) -> Phase | None:
        """Return the phase that an attribute calls by this word."""
        column = self.jobs.index(job)
        return next((each for each in self.phases if each.words[column] == word), None)

    def current(self, device: DeviceView) -> Phase:
        """Return what the machine is doing."""
        for job in self.jobs:
            phase = self.phase(job, device.value("main", *job))
            if phase is not None:
                return phase
        return self.phases[0]


def rules(place: Place) -> tuple[Rule, ...]:
    """Return the rules that an attribute sets off."""
    return _rules().get(place, ())


@cache
def _rules() -> Mapping[Place, tuple[Rule, ...]]:
    found: dict[Place, tuple[Rule, ...]] = {}
    for cycle in CYCLES:
        found[cycle.machine] = (_machine_rule(cycle),)
        found[cycle.operation] = (_operation_rule(cycle),)
        for job in cycle.jobs:
            found[job] = (_job_rule(cycle, job),)
        for percentage in cycle.percentages:
            found[percentage] = (_percentage_rule(cycle),)
    found["switch", "switch"] = (_switch_rule,)
    found["samsungce.dishwasherWashingCourse", "washingCourse"] = (_course_rule,)
    return found


def _machine_rule(cycle: Cycle) -> Rule:
    def rule(device: DeviceView, setting: Setting) -> Iterator[Setting]:
        machine = str(setting.value)
        yield Setting("main", *cycle.operation, _OPERATIONS[machine])
        phase = cycle.current(device)
        is_idle = phase in {cycle.phases[0], cycle.phases[-1]}
        if machine == "run":
            yield Setting("main", "switch", "switch", "on")
            if is_idle:
                yield from _jobs(cycle, cycle.phases[1])
        elif machine == "stop" and not is_idle:
            yield from _jobs(cycle, cycle.phases[0])

    return rule


def _operation_rule(cycle: Cycle) -> Rule:
    machines = {operation: machine for machine, operation in _OPERATIONS.items()} | {"idle": "stop"}

    def rule(device: DeviceView, setting: Setting) -> Iterator[Setting]:
        yield Setting("main", *cycle.machine, machines[str(setting.value)])

    return rule


def _job_rule(cycle: Cycle, job: Place) -> Rule:
    def rule(device: DeviceView, setting: Setting) -> Iterator[Setting]:
        phase = cycle.phase(job, setting.value)
        if phase is None:
            return
        yield from _jobs(cycle, phase)
        for place in cycle.percentages:
            yield Setting("main", *place, phase.percentage)
        if phase in {cycle.phases[0], cycle.phases[-1]}:
            yield Setting("main", *cycle.machine, "stop")
        elif device.value("main", *cycle.machine) == "stop":
            yield Setting("main", *cycle.machine, "run")

    return rule


def _jobs(cycle: Cycle, phase: Phase) -> Iterator[Setting]:
    for place, word in zip(cycle.jobs, phase.words, strict=True):
        yield Setting("main", *place, word)


def _percentage_rule(cycle: Cycle) -> Rule:
    def rule(device: DeviceView, setting: Setting) -> Iterator[Setting]:
        percentage = float(str(setting.value))
        for place in cycle.percentages:
            yield Setting("main", *place, setting.value)
        share = 1.0 if cycle.current(device) == cycle.phases[0] else 1 - percentage / 100
        yield from _time_left(device, cycle, round(_course_minutes(device, cycle) * share))

    return rule


def _time_left(device: DeviceView, cycle: Cycle, minutes: int) -> Iterator[Setting]:
    yield Setting("main", *cycle.remaining, minutes)
    yield Setting("main", *cycle.remaining_text, f"{minutes // 60:02}:{minutes % 60:02}")
    done = device.now() + timedelta(minutes=minutes)
    yield Setting("main", *cycle.completion, done.strftime("%Y-%m-%dT%H:%M:%SZ"))


def _switch_rule(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    """Stop a machine that is switched off."""
    if setting.value == "off":
        for cycle in CYCLES:
            yield Setting(setting.component, *cycle.machine, "stop")


def _course_rule(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    """Give another course the time that it takes."""
    cycle = CYCLES[0]
    if device.value("main", *cycle.machine) == "stop":
        yield from _time_left(device, cycle, round(_course_minutes(device, cycle)))


def _course_minutes(device: DeviceView, cycle: Cycle) -> float:
    """Return how long the course takes: as its details say, else all that is scheduled."""
    course = device.value("main", "samsungce.dishwasherWashingCourse", "washingCourse")
    details: list[dict[str, Any]] = (
        device.value("main", "samsungce.dishwasherWashingCourseDetails", "predefinedCourses") or []
    )
    for each in details:
        if each["courseName"] == course:
            return float(each["expectedTime"]["time"])
    jobs: list[dict[str, Any]] = device.value("main", *cycle.schedule) or []
    seconds = sum(job.get("timeInSec", 0) + 60 * job.get("timeInMin", 0) for job in jobs)
    return seconds / 60 or DEFAULT_MINUTES


_OPERATIONS = {"run": "running", "pause": "paused", "stop": "ready"}


def _phases(*rows: tuple[int, str]) -> tuple[Phase, ...]:
    """Read rows of a percentage and the words for a phase."""
    return tuple(Phase(words=tuple(words.split()), percentage=share) for share, words in rows)


CYCLES = (
    Cycle(
        machine=("dishwasherOperatingState", "machineState"),
        operation=("samsungce.dishwasherOperation", "operatingState"),
        jobs=(
            ("dishwasherOperatingState", "dishwasherJobState"),
            ("custom.dishwasherOperatingProgress", "dishwasherOperatingProgress"),
            ("samsungce.dishwasherJobState", "dishwasherJobState"),
        ),
        phases=_phases(
            (1, "unknown none none"),
            (2, "prewash prewash preWashing"),
            (1, "preDrain predrain preDrain"),
            (15, "wash wash washing"),
            (10, "wash weightsensing washing"),
            (20, "wash sud washing"),
            (55, "rinse rinse rinsing"),
            (65, "rinse sanitizing sanitizing"),
            (70, "spin spin draining"),
            (75, "drying drying drying"),
            (85, "airwash airwash drying"),
            (90, "drying dryingautoreleasedelay dryingAutoReleaseDelay"),
            (92, "drying autoreleasedrying autoReleaseDrying"),
            (94, "wrinklePrevent wrinkleprevent drying"),
            (95, "cooling cooling cooling"),
            (100, "finish finish finished"),
        ),
        percentages=(
            ("custom.dishwasherOperatingPercentage", "dishwasherOperatingPercentage"),
            ("samsungce.dishwasherOperation", "progressPercentage"),
            ("dishwasherOperatingState", "progress"),
        ),
        completion=("dishwasherOperatingState", "completionTime"),
        remaining=("samsungce.dishwasherOperation", "remainingTime"),
        remaining_text=("samsungce.dishwasherOperation", "remainingTimeStr"),
        schedule=("samsungce.dishwasherJobState", "scheduledJobs"),
    ),
    Cycle(
        machine=("washerOperatingState", "machineState"),
        operation=("samsungce.washerOperatingState", "operatingState"),
        jobs=(
            ("washerOperatingState", "washerJobState"),
            ("samsungce.washerOperatingState", "washerJobState"),
            ("samsungce.washerOperatingState", "washerJobPhase"),
        ),
        phases=_phases(
            (1, "none none none"),
            (2, "weightSensing weightSensing wash"),
            (5, "preWash preWash wash"),
            (10, "wash wash wash"),
            (10, "aIWash aIWash wash"),
            (55, "rinse rinse rinse"),
            (55, "aIRinse aIRinse rinse"),
            (80, "spin spin spin"),
            (80, "aISpin aISpin spin"),
            (90, "drying drying drying"),
            (92, "airWash airWash drying"),
            (95, "cooling cooling drying"),
            (1, "delayWash delayWash none"),
            (100, "finish finished finished"),
        ),
        percentages=(("samsungce.washerOperatingState", "progress"),),
        completion=("washerOperatingState", "completionTime"),
        remaining=("samsungce.washerOperatingState", "remainingTime"),
        remaining_text=("samsungce.washerOperatingState", "remainingTimeStr"),
        schedule=("samsungce.washerOperatingState", "scheduledJobs"),
    ),
    Cycle(
        machine=("dryerOperatingState", "machineState"),
        operation=("samsungce.dryerOperatingState", "operatingState"),
        jobs=(
            ("dryerOperatingState", "dryerJobState"),
            ("samsungce.dryerOperatingState", "dryerJobState"),
        ),
        phases=_phases(
            (1, "none none"),
            (2, "weightSensing weightSensing"),
            (10, "drying drying"),
            (10, "aIDrying aIDrying"),
            (80, "cooling cooling"),
            (90, "refreshing refreshing"),
            (95, "wrinklePrevent wrinklePrevent"),
            (1, "delayWash delayDry"),
            (100, "finished finished"),
        ),
        percentages=(("samsungce.dryerOperatingState", "progress"),),
        completion=("dryerOperatingState", "completionTime"),
        remaining=("samsungce.dryerOperatingState", "remainingTime"),
        remaining_text=("samsungce.dryerOperatingState", "remainingTimeStr"),
        schedule=("samsungce.dryerOperatingState", "scheduledJobs"),
    ),
)
