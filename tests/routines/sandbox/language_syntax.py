"""Features of the language itself, by name; see `language.py`."""

TEXT = '''
### list comprehension
def check():
    return [x * 2 for x in [1, 2, 3] if x > 1] == [4, 6]

### dict comprehension
def check():
    return {k: v for k, v in [("a", 1), ("b", 2)]} == {"a": 1, "b": 2}

### set comprehension
def check():
    return {x % 2 for x in [1, 2, 3]} == {0, 1}

### nested comprehension
def check():
    return [y for x in [[1], [2, 3]] for y in x] == [1, 2, 3]

### generator in any and all
def check():
    return any(x > 2 for x in [1, 2, 3]) and all(x > 0 for x in [1, 2])

### generator in sum, min and max
def check():
    return sum(x for x in [1, 2]) == 3 and min(x for x in [3, 2]) == 2 and max([1, 5]) == 5

### next with a default
def check():
    return next((x for x in [1, 2] if x > 5), None) is None and next(x for x in [7]) == 7

### conditional expression
def check():
    return ("on" if 1 < 2 else "off") == "on"

### chained comparison
def check():
    return 1 < 2 <= 2 != 3

### walrus
def check():
    return (n := len([1, 2])) == 2 and n == 2

### unpacking
def check():
    first, *rest = [1, 2, 3]
    (a, b), c = (1, 2), 3
    return first == 1 and rest == [2, 3] and a + b + c == 6

### starred arguments
def check():
    def add(a, b, c=0):
        return a + b + c
    return add(*[1, 2], **{"c": 3}) == 6

### functions with any arguments
def check():
    def count(*values, **named):
        return len(values) + len(named)
    return count(1, 2, x=3) == 3

### keyword-only arguments and defaults
def check():
    def limit(value, *, top=10):
        return value if value < top else top
    return limit(50) == 10 and limit(5, top=3) == 3

### helper function beside the entry
def is_warm(value):
    return value > 20

def check():
    return is_warm(21)

### helper function after the entry
def check():
    return is_warm(21)

def is_warm(value):
    return value > 20

### constant beside the entry
LIMIT = 20
NAMES = ("a", "b")

def check():
    return LIMIT == 20 and "a" in NAMES

### closure
def check():
    def above(limit):
        def test(value):
            return value > limit
        return test
    return above(3)(4)

### nonlocal
def check():
    count = 0
    def up():
        nonlocal count
        count += 1
    up()
    up()
    return count == 2

### recursion
def check():
    def depth(n):
        return 0 if n == 0 else 1 + depth(n - 1)
    return depth(20) == 20

### lambda as a key
def check():
    return sorted([{"n": 2}, {"n": 1}], key=lambda d: d["n"])[0]["n"] == 1

### map and filter with a lambda
def check():
    return list(map(lambda x: x + 1, filter(lambda x: x > 1, [1, 2]))) == [3]

### zip, enumerate and reversed
def check():
    pairs = [(i, a, b) for i, (a, b) in enumerate(zip([1, 2], "ab"), start=1)]
    return pairs == [(1, 1, "a"), (2, 2, "b")] and list(reversed([1, 2])) == [2, 1]

### sorted with reverse
def check():
    values = [3, 1, 2]
    values.sort(reverse=True)
    return values == [3, 2, 1] and sorted(values) == [1, 2, 3]

### slices
def check():
    values = [1, 2, 3, 4]
    return values[-1] == 4 and values[1:3] == [2, 3] and values[::-1][0] == 4

### while, break and continue
def check():
    n = 0
    while True:
        n += 1
        if n < 5:
            continue
        break
    return n == 5

### for and else
def check():
    for x in [1, 2]:
        if x > 5:
            break
    else:
        return True
    return False

### try, except, else and finally
def check():
    log = []
    try:
        int("x")
    except (ValueError, TypeError) as error:
        log.append(str(error) != "")
    else:
        log.append(False)
    finally:
        log.append(True)
    return log == [True, True]

### raise and re-raise
def check():
    try:
        try:
            raise ValueError("no")
        except ValueError as error:
            raise RuntimeError("again") from error
    except RuntimeError as error:
        return str(error) == "again" and error.args == ("again",)

### bare except
def check():
    try:
        return {}["x"] == 1
    except:
        return True

### assert
def check():
    try:
        assert 1 > 2, "no"
    except AssertionError as error:
        return "no" in str(error)

### match on values
def check():
    match "on":
        case "off":
            return False
        case "on" | "open":
            return True
        case _:
            return False

### match on shapes
def check():
    match {"state": "on", "levels": [1, 2]}:
        case {"state": "on", "levels": [first, *rest]} if first == 1:
            return rest == [2]
    return False

### f-strings with formats
def check():
    value = 3.14159
    return f"{value:.2f} {5:03d} {'a'!r} {value=:.1f}" == "3.14 005 'a' value=3.1"

### percent formats and str.format
def check():
    return "%s is %d" % ("a", 5) == "{} is {n}".format("a", n=5)

### text methods
def check():
    return " A,b ".strip().lower().split(",") == ["a", "b"] and "ab".startswith("a")

### text in text
def check():
    joined = "x".join(["a", "b"])
    return "door" in "front door" and joined == "axb" and "ab".replace("a", "") == "b"

### dict methods
def check():
    d = {"a": 1}
    d.update(b=2)
    return d.get("c", 0) == 0 and d.setdefault("c", 3) == 3 and d.pop("a") == 1 and len(d) == 2

### dict views
def check():
    d = {"a": 1, "b": 2}
    return [k for k, v in d.items() if v > 1] == ["b"] and sum(d.values()) == 3

### dict merge
def check():
    return {**{"a": 1}, "b": 2} == {"a": 1} | {"b": 2}

### augmented assignment of an item
def check():
    d = {"n": 1, "l": [1]}
    d["n"] += 2
    d["l"][0] -= 1
    return d == {"n": 3, "l": [0]}

### sets
def check():
    return {1, 2} & {2, 3} == {2} and {1} | {2} == {1, 2} and {1} < {1, 2} and 1 not in set()

### bit operations and powers
def check():
    return 5 & 4 | 1 == 5 and 2**10 == 1024 and 7 // 2 == 3 and -7 % 3 == 2 and 1 << 3 == 8

### conversion of numbers
def check():
    total = int("5") + float("1.5") + round(2.567, 1)
    return total == 9.1 and abs(-1) == 1 and divmod(7, 2) == (3, 1)

### bool of values
def check():
    return bool([1]) and not bool("") and (None or "x") == "x"

### isinstance
def check():
    return isinstance(5, (int, float)) and not isinstance("5", int) and type(5) is int

### callable
def check():
    return callable(len) and not callable(5)

### annotations
from collections import Counter

def check() -> bool:
    count: int = 1
    names: list[str] | None = None
    return count == 1 and names is None

### docstrings and comments
def check():
    """Return whether it is so.

    Over several lines.
    """
    return True  # as it is

### print
def check():
    print("value:", 5, sep=" ", end="")
    return True
'''
