"""The values of the past, computed with SQL: what a right answer says."""

import sqlite3
from dataclasses import dataclass
from typing import Any, Final

from .past_home import at

_ROWS: Final = """
WITH own AS (
    SELECT last_updated_ts AS t, {value} AS v
    FROM states JOIN states_meta USING (metadata_id)
    LEFT JOIN state_attributes USING (attributes_id)
    WHERE states_meta.entity_id = :entity
), spans AS (
    SELECT t, v, MIN(COALESCE(LEAD(t) OVER (ORDER BY t), :end), :end) AS n FROM own
), clipped AS (
    SELECT MAX(t, :start) AS t, n, v FROM spans WHERE n > :start AND t < :end
), known AS (
    SELECT t, v, LAG(v) OVER (ORDER BY t) AS before FROM own
    WHERE v NOT IN ('unavailable', 'unknown')
), entries AS (
    SELECT t, v FROM known WHERE v != before AND t >= :start AND t < :end
)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """An entity, or an attribute of it, in a period of local times."""

    entity: str
    start: str = "2026-01-01"
    end: str = ""
    """Empty: until now."""

    state: str = ""
    attribute: str = ""


class Values:
    """Computes values of the past; `now` is the time at which a person asks."""

    def __init__(self, base: sqlite3.Connection, now: float) -> None:
        self._base = base
        self._now = now

    def _one(self, past: Past, query: str) -> Any:
        value = f"json_extract(shared_attrs, '$.{past.attribute}')" if past.attribute else "state"
        given = {
            "entity": past.entity,
            "start": at(past.start),
            "end": at(past.end) if past.end else self._now,
            "state": past.state,
        }
        return self._base.execute(_ROWS.format(value=value) + query, given).fetchone()[0]

    def duration(self, past: Past) -> float:
        """Return the seconds in the state."""
        return float(self._one(past, "SELECT SUM(n - t) FROM clipped WHERE v = :state") or 0.0)

    def count(self, past: Past) -> float:
        """Return how often it changed into the state."""
        return float(self._one(past, "SELECT COUNT(*) FROM entries WHERE v = :state"))

    def first(self, past: Past) -> float:
        """Return the timestamp of the first change into the state."""
        return float(self._one(past, "SELECT MIN(t) FROM entries WHERE v = :state"))

    def last(self, past: Past) -> float:
        """Return the timestamp of the last change into the state."""
        return float(self._one(past, "SELECT MAX(t) FROM entries WHERE v = :state"))

    def left(self, past: Past) -> float:
        """Return the timestamp of the first change out of the state after the last one into it."""
        query = (
            "SELECT MIN(t) FROM entries WHERE v != :state AND t > "
            "(SELECT MAX(t) FROM entries WHERE v = :state)"
        )
        return float(self._one(past, query))

    def least(self, past: Past) -> float:
        """Return the lowest number."""
        return float(self._one(past, "SELECT MIN(CAST(v AS REAL)) FROM clipped"))

    def most(self, past: Past) -> float:
        """Return the highest number."""
        return float(self._one(past, "SELECT MAX(CAST(v AS REAL)) FROM clipped"))

    def mean(self, past: Past) -> float:
        """Return the mean over time."""
        query = "SELECT SUM(CAST(v AS REAL) * (n - t)) / SUM(n - t) FROM clipped"
        return float(self._one(past, query))

    def difference(self, past: Past) -> float:
        """Return the last number less the first one."""
        query = (
            "SELECT (SELECT CAST(v AS REAL) FROM clipped ORDER BY t DESC LIMIT 1) - "
            "(SELECT CAST(v AS REAL) FROM clipped ORDER BY t LIMIT 1)"
        )
        return float(self._one(past, query))

    def counted(self, past: Past) -> float:
        """Return what a meter counted."""
        query = (
            "SELECT SUM(CASE WHEN CAST(v AS REAL) < 0.9 * CAST(before AS REAL) THEN CAST(v AS REAL)"
            " ELSE CAST(v AS REAL) - CAST(before AS REAL) END) FROM known"
            " WHERE t >= :start AND t < :end"
        )
        return float(self._one(past, query))

    def statistic(self, past: Past, column: str) -> float:
        """Return an aggregate of the hours of long-term statistics, such as `MIN(min)`."""
        query = (
            f"SELECT {column} FROM statistics JOIN statistics_meta "  # noqa: S608
            "ON statistics_meta.id = statistics.metadata_id "
            "WHERE statistic_id = ? AND start_ts >= ? AND start_ts < ?"
        )
        given = (past.entity, at(past.start), at(past.end))
        return float(self._base.execute(query, given).fetchone()[0])
