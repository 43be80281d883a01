"""The homes that the demo can show."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .home_events import AT_THE_CLOUD, AT_THE_DEMO_HOME, HomeEvent

ROOT: Final = Path(__file__).parents[2]
SAGE: Final = ROOT / "custom_components" / "sage"
DEMO: Final = "demo"
SMARTTHINGS: Final = "smartthings"
_MARK: Final = "demo-home"
"""File in Home Assistant's folder with the name of the home that is in it."""

_AROUND: Final = """\
  packages:
    around: !include custom_components/sage_demo_home/around.yaml
sage_demo_home:
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FurnishedHome:
    """What makes a Home Assistant a home."""

    name: str
    components: tuple[Path, ...]
    """Custom integrations to link into its folder."""

    place: str
    """Where it is, as lines of `homeassistant:`, and what of its own it has in YAML."""

    suggestions: tuple[str, ...]
    """What to say there."""

    events: Mapping[str, HomeEvent]
    """What may happen there, by name."""

    has_cloud: bool = False
    """Whether its devices hang on a simulated SmartThings cloud."""

    @property
    def configuration(self) -> str:
        """The text of `configuration.yaml`."""
        return f"""\
homeassistant:
  name: SAGE demo home
  language: en
  unit_system: metric
{self.place}\
frontend:
config:
conversation:
assist_pipeline:
logger:
  default: warning
  logs:
    custom_components.sage: info
"""


HOMES: Final = {
    home.name: home
    for home in (
        FurnishedHome(
            name=DEMO,
            components=(
                SAGE,
                Path(__file__).parent / "custom_components" / "sage_demo_home",
            ),
            place="""\
  country: DE
  currency: EUR
  latitude: 52.52
  longitude: 13.405
  elevation: 34
  time_zone: Europe/Berlin
"""
            + _AROUND,
            suggestions=(
                "turn on the kitchen light",
                "set the bedroom light to 30 percent",
                "which lights are on?",
                "open the garage door",
                "put it back",
                "turn on the hall light when the front door opens",
            ),
            events=AT_THE_DEMO_HOME,
        ),
        FurnishedHome(
            name=SMARTTHINGS,
            components=(SAGE,),
            place="""\
  country: CA
  currency: CAD
  latitude: 45.5
  longitude: -73.6
  elevation: 36
  time_zone: America/Toronto
""",
            suggestions=(
                "turn on the light by the bed",
                "turn off the light in the dining room",
                "put channel 7 on the TV in the living room",
                "make the freezer two degrees colder",
                "is the cooler door open?",
                "start the dishwasher",
                "remind me to throw out the milk when I open the fridge",
            ),
            events=AT_THE_CLOUD,
            has_cloud=True,
        ),
    )
}
"""All homes by name."""


def home_in(folder: Path) -> str | None:
    """Return the name of the home that a folder holds, None when it holds none yet."""
    if (mark := folder / _MARK).exists():
        return mark.read_text(encoding="utf-8").strip()
    return DEMO if (folder / "configuration.yaml").exists() else None


def mark(folder: Path, name: str) -> None:
    """Note which home a folder holds."""
    (folder / _MARK).write_text(f"{name}\n", encoding="utf-8")
