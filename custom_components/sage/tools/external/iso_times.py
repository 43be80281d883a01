"""Times that the model gives as ISO 8601, resolved in the zone of the home."""

from datetime import datetime, timedelta
from typing import Final

from homeassistant.util import dt as dt_util

from ...external.external_error import ExternalError

START: Final = "start, ISO local time 2026-03-02T20:15, or 2026-03-02 for the whole day"
END: Final = "end, like start"
"""Descriptions of the arguments."""


def time_span(given_start: str, given_end: str) -> tuple[datetime, datetime] | None:
    """Return start and end, aware; None if neither is given.

    A day without a time is whole; a start without an end is one moment. Raises ExternalError with
    the right form.
    """
    if not given_start and not given_end:
        return None
    start = _moment(given_start) if given_start else dt_util.now()
    last = given_end or given_start
    end = _moment(last)
    if _is_day(last):
        end = dt_util.start_of_local_day(end + timedelta(days=1))
    if end < start:
        raise ExternalError("`end` is before `start`. Give both as local times of the home.")
    return start, end


def _moment(text: str) -> datetime:
    written = text.strip()
    try:
        if _is_day(written):
            day = dt_util.parse_date(written)
            return dt_util.start_of_local_day(day)
        return dt_util.as_local(dt_util.parse_datetime(written, raise_on_error=True))
    except ValueError as err:
        raise ExternalError(
            f"`{text[:40]}` is no time. Write 2026-03-02T20:15, local time."
        ) from err


def _is_day(text: str) -> bool:
    return dt_util.parse_date(text.strip()) is not None and "T" not in text
