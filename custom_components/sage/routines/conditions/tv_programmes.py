"""The function `is_on_tv`, which the Python code of a routine's condition may call.

It searches the TV guides of the household.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from homeassistant.util import dt as dt_util

from ...external.external_error import ExternalError
from ...external.tv_guide.guide_file import GuideQuery, Showing
from ...external.tv_guide.tv_guide import TvGuide
from ..interfaces import CallArguments, FunctionCallError, NotNowError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter

_LIFETIME: Final = timedelta(minutes=15)
"""Maximum validity of a result, since the TV guide may be updated."""

_MOST_MINUTES: Final = 24 * 60
_MOST: Final = 100


class IsOnTv:
    """Implements `is_on_tv` for condition code: whether a programme is on, or starts soon."""

    function = ConditionFunction(
        name="is_on_tv",
        parameters=(
            Parameter(name="title", type="str"),
            Parameter(name="within_minutes", type="float", required=False, default=0),
            Parameter(name="channel", type="str", required=False, default=""),
        ),
        returns="bool",
        description=(
            "Whether the TV guide has a programme on now, or starting within these minutes. title: "
            "words that are all in its title or subtitle. channel: name or number; leave out for "
            "all channels."
        ),
    )

    def __init__(self, guides: Sequence[TvGuide]) -> None:
        self._guides = guides

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return whether a programme with all given words in its title is on, or starts soon.

        Raises FunctionCallError for an unknown channel or an empty title, NotNowError if a TV guide
        cannot be read.
        """
        title, channel = call.text("title"), call.text("channel")
        ahead = timedelta(minutes=call.number("within_minutes", 0, _MOST_MINUTES))
        if not title:
            raise FunctionCallError("is_on_tv needs words of the title.")
        now = dt_util.utcnow()
        found: list[Showing] = []
        try:
            for guide in self._guides:
                found += await _async_of_title(guide, title, channel, now, now + ahead + _LIFETIME)
        except ExternalError as err:
            raise NotNowError from err
        changes = [each.start - ahead for each in found] + [each.stop for each in found]
        # Return only a bool, so that no untrusted text of the guide reaches the model.
        return FunctionResult(
            value=any(each.start <= now + ahead and now < each.stop for each in found),
            fresh_until=min((*(each for each in changes if each > now), now + _LIFETIME)),
        )


async def _async_of_title(
    guide: TvGuide, title: str, channel: str, start: datetime, end: datetime
) -> Sequence[Showing]:
    """Return the programmes from `start` to `end` whose title contains all words of `title`.

    `channel`: name or number; empty: all channels. Raises FunctionCallError for an unknown channel,
    ExternalError if the guide cannot be read.
    """
    channels: tuple[str, ...] | None = None
    if channel:
        channels = tuple(each.id for each in await guide.async_channels(channel))
        if not channels:
            raise FunctionCallError(
                f'The TV guide has no channel "{channel}". Use its usual name or number.'
            )
    wanted = GuideQuery(
        start=start, end=end, words=title, channels=channels, title_only=True, most=_MOST
    )
    return (await guide.async_search(wanted)).showings
