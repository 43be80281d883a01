"""The tools for sources outside the home: mail, calendars, contacts, weather and TV guides."""

from ..sage_tool import SageTool, Situation
from .email_and_calendar import EmailAndCalendar
from .tv_schedule import TvSchedule
from .weather_report import WeatherReport

__all__ = ["EmailAndCalendar", "external_tools"]


def external_tools(situation: Situation) -> tuple[SageTool, ...]:
    """Return the tools that have a source in this home.

    The tool for mail is offered if any person has mail, calendars or contacts: with the same tools,
    the prompts of all people share the prompt cache.
    """
    external = situation.external
    tools: tuple[tuple[type[SageTool], object], ...] = (
        (EmailAndCalendar, external.has_mail_or_calendar()),
        (WeatherReport, external.place_weather or situation.home.entities_of("weather")),
        (TvSchedule, external.guides),
    )
    return tuple(tool(situation) for tool, source in tools if source)
