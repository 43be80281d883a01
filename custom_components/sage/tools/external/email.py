"""The mail tools of the agent-tool `email_and_calendar`."""

from ..sage_tool import SageTool
from ..situation import Situation


def email_tools(situation: Situation) -> tuple[SageTool, ...]:
    """Return the mail tools; empty if the person has no mail account."""
    return ()
