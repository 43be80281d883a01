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


_WEATHER: Final = """\
template:
  - weather:
      - name: Home
        condition: >-
          {{ 'rainy' if 14 <= now().hour < 18 else 'partlycloudy' }}
        temperature: >-
          {{ 12 if 9 <= now().hour < 18 else 7 }}
        temperature_unit: °C
        humidity: "75"
        forecast_hourly: >-
          {% set hour = now().replace(minute=0, second=0, microsecond=0) %}
          {% set found = namespace(hours=[]) %}
          {% for number in range(48) %}
          {% set at = hour + timedelta(hours=number) %}
          {% set rains = 14 <= at.hour < 18 %}
          {% set found.hours = found.hours + [{
            'datetime': at.isoformat(),
            'condition': 'rainy' if rains else 'partlycloudy',
            'temperature': 12 if 9 <= at.hour < 18 else 7,
            'precipitation_probability': 80 if rains else 10}] %}
          {% endfor %}
          {{ found.hours }}
        forecast_daily: >-
          {% set found = namespace(days=[]) %}
          {% for number in range(7) %}
          {% set found.days = found.days + [{
            'datetime': (today_at() + timedelta(days=number)).isoformat(),
            'condition': 'sunny' if number == 2 else 'rainy',
            'temperature': 12, 'templow': 7,
            'precipitation_probability': 10 if number == 2 else 80}] %}
          {% endfor %}
          {{ found.days }}
"""
"""It rains every afternoon, but not on the day after tomorrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FurnishedHome:
    """What makes a Home Assistant a home."""

    name: str
    components: tuple[Path, ...]
    """Custom integrations to link into its folder."""

    place: str
    """Where it is, as lines of `homeassistant:`, and what of its own it has in YAML."""

    zone: str
    """Its time zone."""

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
  time_zone: {self.zone}
{self.place}\
{_WEATHER}\
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
"""
            + _AROUND,
            zone="Europe/Berlin",
            suggestions=(
                "turn on the kitchen light",
                "set the bedroom light to 30 percent",
                "which lights are on?",
                "open the garage door",
                "put it back",
                "when the TV turns off turn on the light by the bed",
                "do I have new mail?",
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
""",
            zone="America/Toronto",
            suggestions=(
                "turn on the light by the bed",
                "turn off the light in the dining room",
                "is the cooler door open?",
                "do I have new mail?",
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
