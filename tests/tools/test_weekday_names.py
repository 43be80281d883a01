"""Days of the week as models write them."""

import pytest

from custom_components.sage.tools.weekday_names import weekdays

ALL = frozenset(range(7))
WORKING = frozenset(range(5))


@pytest.mark.parametrize(
    ("names", "days"),
    [
        ([], ALL),
        ([""], ALL),
        (["mon", " Tuesday ", "SUN"], {0, 1, 6}),
        (["Mon-Fri"], WORKING),
        (["mon to fri"], WORKING),
        (["Mo–Fr"], WORKING),
        (["fri - mon"], {4, 5, 6, 0}),
        (["mon, wed"], {0, 2}),
        (["mon wed and fri"], {0, 2, 4}),
        (["mon-wed", "sat/sun"], {0, 1, 2, 5, 6}),
        (["Fridays"], {4}),
        (["every Thursday"], {3}),
        (["weekdays"], WORKING),
        (["workdays"], WORKING),
        (["working days"], WORKING),
        (["weekend"], {5, 6}),
        (["weekends"], {5, 6}),
        (["week-end"], {5, 6}),
        (["daily"], ALL),
        (["every day"], ALL),
        (["all"], ALL),
        (["Montag", "Mi", "freitags"], {0, 2, 4}),
        (["jeden Tag"], ALL),
        (["lundi", "mercredi"], {0, 2}),
        (["du lundi au vendredi"], WORKING),
        (["tous les jours"], ALL),
    ],
)
def test_days(names, days) -> None:
    assert weekdays(names) == days


@pytest.mark.parametrize(
    "name", ["someday", "monthly", "monkey", "mon-", "mon-wed-fri", "every", "weekdays but fri"]
)
def test_no_days(name) -> None:
    with pytest.raises(ValueError, match="mon, tue"):
        weekdays(["sat", name])
