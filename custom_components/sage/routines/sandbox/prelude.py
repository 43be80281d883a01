# mypy: ignore-errors
# ruff: noqa: ANN001, ANN002, ANN202, BLE001, DTZ007, PLR0911, UP017
"""The code that each session of Monty executes first; `monty_session.py` calls its functions.

This file is never imported, and uses only Python that Monty supports. Condition code can use only
the names in `_given`, not the globals of this file.

The list `run` holds the data of one check (one evaluation of condition code). Its indexes:

- `_ANSWERS`: dict of the results that SAGE supplied: function call -> number of the result, result;
- `_ASKED`: dict whose keys are the numbers of the results that the code has used;
- `_MISSING`: list of the calls for which SAGE supplied no result;
- `_UNKNOWN`: whether a used result was unknown;
- `_PRINTED`: the printed text;
- `_TOO_MANY`: whether the code made too many calls.
"""

import collections
import copy as _copy
import functools
import itertools
import json
import math
import re
from datetime import date, datetime, time, timedelta, timezone
from time import perf_counter as _perf_counter

_ANSWERS = 0
_ASKED = 1
_MISSING = 2
_UNKNOWN = 3
_PRINTED = 4
_TOO_MANY = 5

_MOST_QUESTIONS = 200
_LONGEST_ARGUMENT = 256
_MOST_PRINTED = 2000
_LONGEST_TEXT = 600
_DEEPEST_STATE = 8
_MOST_IN_STATE = 2000
_LARGEST_NUMBER = 2**63

_TOO_MANY_QUESTIONS = f"a check may ask {_MOST_QUESTIONS} questions, no more"
_KEPT = "Texts, numbers, bools, None, aware datetimes, lists and dicts can be kept."
_INSTEAD = {
    "set": "Keep sorted(...) of it, a list.",
    "date": "Keep its isoformat(), a text.",
    "time": "Keep its isoformat(), a text.",
    "timedelta": "Keep its total_seconds(), a number.",
}
_TYPES = ("str", "int", "float", "bool")

_checks = {}
_known_functions = []
_current = [None]  # the run in progress; condition code cannot reach it


def _ask(number, arguments):
    """Return the result of one call of a condition function, if the host has supplied it.

    Otherwise return None and note the call as missing. `number`: index of the function in
    `_known_functions`.
    """
    run = _current[0]
    function = _known_functions[number]
    arguments = tuple(
        [_argument(function, place, argument) for place, argument in enumerate(arguments)]
    )
    question = (function[0], arguments)
    known = run[_ANSWERS].get(question)
    if known is None:
        if question not in run[_MISSING]:
            if len(run[_MISSING]) + len(run[_ASKED]) >= _MOST_QUESTIONS:
                run[_TOO_MANY] = True
            if run[_TOO_MANY]:
                raise ValueError(_TOO_MANY_QUESTIONS)
            run[_MISSING].append(question)
        return None
    run[_ASKED][known[0]] = True
    if known[3]:
        raise ValueError(known[3])
    if known[2] and function[2]:
        run[_UNKNOWN] = True
    value = known[1]
    if type(value) is list or type(value) is dict:
        return _copy.deepcopy(value)
    return value


def _argument(function, place, value):
    """Return one argument of a condition function, converted to the type of its parameter.

    `place`: index of the parameter. Raises ValueError, TypeError.
    """
    name, wanted, may_be_none = function[1][place]
    kind = type(value)
    if wanted not in _TYPES:
        wanted = kind.__name__
    if kind is str and wanted == "str":
        if len(value) > _LONGEST_ARGUMENT:
            raise ValueError(
                f"{function[0]}(): {name} is longer than {_LONGEST_ARGUMENT} characters"
            )
        return value
    if value is None and may_be_none:
        return value
    if kind is bool and wanted == "bool":
        return value
    if kind is int or kind is float:
        return _number(function, name, wanted, value)
    raise TypeError(f"{function[0]}(): {name} has to be {wanted}, not {kind.__name__}")


def _number(function, name, wanted, value):
    """Return a number, converted to the type name `wanted`. Raises ValueError, TypeError.

    `function`, `name`: the condition function and its parameter, for the error text.
    """
    if not -_LARGEST_NUMBER < value < _LARGEST_NUMBER:
        raise ValueError(f"{function[0]}(): {name} is too large a number")
    if wanted == "float":
        return float(value)
    if wanted == "int" and value == math.floor(value):
        return int(value)
    raise TypeError(f"{function[0]}(): {name} has to be {wanted}, not {type(value).__name__}")


def _print(values, sep, end):
    """Implement print(): append to the printed text of the evaluation, up to a maximum length."""
    run = _current[0]
    text = (sep or " ").join([str(value) for value in values]) + ("\n" if end is None else end)
    run[_PRINTED] = (run[_PRINTED] + text)[:_MOST_PRINTED]


def _local(moment, zone):
    """Return the result that datetime.now(zone) has at the time `moment`; None for None."""
    if moment is None:
        return None
    if zone is None:
        return moment.astimezone().replace(tzinfo=None)
    return moment.astimezone(zone)


def _naive_utc(moment):
    """Return the result that datetime.utcnow() has at the time `moment`; None for None."""
    return None if moment is None else moment.astimezone(timezone.utc).replace(tzinfo=None)


def _local_date(moment):
    """Return the date of `moment` in the time zone of the home; None for None."""
    return None if moment is None else moment.astimezone().date()


def _state_trouble(value, where, depth, seen):
    """Return the reason why `value` cannot be stored in the dict `state`; else "".

    `where`: the path of the value in `state`, for the text. `seen`: a list with one item, the
    number of values that were examined so far.
    """
    kind = type(value)
    seen[0] += 1
    if seen[0] > _MOST_IN_STATE:
        return f"There are more than {_MOST_IN_STATE} values in state."
    if value is None or kind is bool or kind is int or kind is float or kind is str:
        return ""
    if kind is datetime:
        if value.tzinfo is None:
            return f"{where} is a time without a time zone. Keep now() instead."
        return ""
    if kind is not list and kind is not tuple and kind is not dict:
        return f"{where} is a {kind.__name__}. {_INSTEAD.get(kind.__name__, _KEPT)}"
    if depth >= _DEEPEST_STATE:
        return f"{where} is nested deeper than {_DEEPEST_STATE} levels."
    pairs = value.items() if kind is dict else enumerate(value)
    for key, item in pairs:
        if kind is dict and type(key) is not str:
            return f"A key of {where} is a {type(key).__name__}; write str(key)."
        trouble = _state_trouble(item, f"{where}[{key!r}]"[:80], depth + 1, seen)
        if trouble:
            return trouble
    return ""


def _result(run, kind, detail, state, started):
    """Return the report of an evaluation: a tuple that `to_outcome` in outcomes.py validates."""
    if run[_TOO_MANY]:
        # More answers would not help: report an error, and no call as missing.
        kind, detail, state = "raised", ("ValueError", _TOO_MANY_QUESTIONS), None
        run[_MISSING] = []
    return (
        kind,
        detail,
        run[_UNKNOWN],
        list(run[_ASKED]),
        run[_MISSING],
        state,
        run[_PRINTED],
        (_perf_counter() - started) * 1000,
    )


def _run_one(factory, state, answers):
    """Evaluate condition code once and return the report, a tuple (`_result`).

    `factory(state)` returns the entry function of the code. `answers`: results of condition
    functions. An exception of the code becomes a part of the report.
    """
    run = [answers, {}, [], False, "", False]
    _current[0] = run
    started = _perf_counter()
    try:
        value = factory(state)()
    except Exception as error:
        detail = (type(error).__name__, str(error)[:_LONGEST_TEXT])
        return _result(run, "raised", detail, None, started)
    if value is not True and value is not False:
        return _result(run, "no_bool", type(value).__name__, None, started)
    if run[_MISSING] or run[_UNKNOWN]:
        return _result(run, "value", value, None, started)
    trouble = _state_trouble(state, "state", 0, [0]) if state else ""
    if trouble:
        return _result(run, "state", trouble, None, started)
    return _result(run, "value", value, state, started)


def _define(texts):
    """Execute the factories: functions that contain condition code and return its entry function.

    Each factory has its own namespace. `texts`: pairs of the number of a source and the code of its
    factory.
    """
    for number, text in texts:
        names = dict(_given)
        exec(text, names)  # noqa: S102
        _checks[number] = (names["_made"], names)


def _renew(names):
    """Reset the namespace of condition code after an evaluation, so that no change remains."""
    names.clear()
    names.update(_given)


def _tick(due, group):
    """Evaluate condition code in order and return the reports.

    `due`: tuples of source number, `state` dict and condition function results. Prints the index of
    the first item of each group. If the session ends by an error, the last printed index identifies
    the group that contains the cause.
    """
    results = []
    for place, (number, state, answers) in enumerate(due):
        if place % group == 0:
            print(place)
        factory, names = _checks[number]
        results.append(_run_one(factory, state, answers))
        _renew(names)
    return results


def _explain(number, state, answers):
    """Run failed condition code again without catching its exception, to get the traceback."""
    _current[0] = [answers, {}, [], False, "", False]
    _checks[number][0](state)()


def _forget(number):
    """Reset the namespace of condition code after `_explain`.

    `_explain` cannot do this itself in a `finally`, which would lose the line of the error.
    """
    _renew(_checks[number][1])


def _next(items, *default):
    """Implement next() also for lists, since Monty represents generator expressions as lists."""
    if type(items) is not list:
        return next(items, *default)
    if items:
        return items[0]
    if default:
        return default[0]
    raise StopIteration


def _callable(value):
    """Implement callable() for condition code."""
    return type(value).__name__ in ("function", "builtin_function_or_method", "type", "method")


def _mean(values):
    """Return the arithmetic mean."""
    values = list(values)
    if not values:
        raise ValueError("mean requires at least one data point")
    return sum(values) / len(values)


def _median(values):
    """Return the median."""
    values = sorted(values)
    if not values:
        raise ValueError("no median for empty data")
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    return (values[middle - 1] + values[middle]) / 2


def _spread(values, least):
    """Return the sum of squared deviations from the mean, and the number of values.

    Raises ValueError for fewer than `least` values.
    """
    values = list(values)
    if len(values) < least:
        raise ValueError(f"variance requires at least {least} data points")
    mean = _mean(values)
    return sum([(value - mean) ** 2 for value in values]), len(values)


def _pvariance(values):
    """Return the variance of all values."""
    total, count = _spread(values, 1)
    return total / count


def _variance(values):
    """Return the variance of a sample."""
    total, count = _spread(values, 2)
    return total / (count - 1)


def _pstdev(values):
    """Return the standard deviation of all values."""
    return math.sqrt(_pvariance(values))


def _stdev(values):
    """Return the standard deviation of a sample."""
    return math.sqrt(_variance(values))


def _mode(values):
    """Return the most common value; of equally common values, the first one."""
    counts = collections.Counter(values).most_common(1)
    if not counts:
        raise ValueError("no mode for empty data")
    return counts[0][0]


def _from_timestamp(seconds, tz=None):
    """Implement datetime.fromtimestamp()."""
    return _local(datetime(1970, 1, 1, tzinfo=timezone.utc) + _span(seconds=seconds), tz)


def _span(days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
    """Implement timedelta() with fractions in all arguments."""
    whole = ((weeks * 7 + days) * 24 + hours) * 60 + minutes
    return timedelta(
        microseconds=round((whole * 60 + seconds) * 1000000 + milliseconds * 1000 + microseconds)
    )


def _parse_time(text, form):
    """Implement datetime.strptime(), also for formats without a year or a date."""
    if "%Y" in form or "%y" in form or "%c" in form or "%x" in form or "%G" in form:
        return datetime.strptime(text, form)
    if "%d" in form or "%b" in form or "%B" in form or "%m" in form or "%j" in form:
        return datetime.strptime("1900 " + text, "%Y " + form)
    return datetime.strptime("1900-01-01 " + text, "%Y-%m-%d " + form)


def _denied(*arguments):
    """Raise NameError, in place of a built-in function that condition code must not use."""
    raise NameError("this function is not there in checks")


_given = {
    "collections": collections,
    "date": date,
    "datetime": datetime,
    "functools": functools,
    "itertools": itertools,
    "json": json,
    "math": math,
    "re": re,
    "time": time,
    "timedelta": timedelta,
    "timezone": timezone,
    "callable": _callable,
    "next": _next,
    "_ask": _ask,
    "_print": _print,
    "_local": _local,
    "_local_date": _local_date,
    "_naive_utc": _naive_utc,
    "_from_timestamp": _from_timestamp,
    "_parse_time": _parse_time,
    "_span": _span,
    "_mean": _mean,
    "_median": _median,
    "_mode": _mode,
    "_pstdev": _pstdev,
    "_pvariance": _pvariance,
    "_stdev": _stdev,
    "_variance": _variance,
}
for _name in ("eval", "exec", "getattr", "hasattr", "id", "locals", "open", "print", "setattr"):
    _given[_name] = _denied
