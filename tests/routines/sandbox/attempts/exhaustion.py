"""Programs that use up time, memory, the stack or the parser.

In plain CPython, with limits (`plain_python.py`), none of them ends well. DEEP is what
CPython compiles and other parsers may not survive.
"""

from .attempt import Kind, attempts

TIME = attempts(
    Kind.TIME,
    """
### endless_loop
def check():
    while True:
        pass

### endless_loop_that_catches_everything
def check():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

### endless_loop_in_finally
def check():
    try:
        while True:
            pass
    finally:
        while True:
            pass

### list_that_grows_while_it_is_read
def check():
    values = [1]
    for value in values:
        values.append(value)

### sum_of_a_huge_range
def check():
    return sum(range(10**12)) > 0

### search_in_a_huge_range
def check():
    return "x" in range(10**12)

### shared_tuples_compared
def check():
    a = (1,)
    b = (1,)
    for i in range(60):
        a = (a, a)
        b = (b, b)
    return a == b

### shared_lists_ordered
def check():
    a = [1]
    b = [1]
    for i in range(60):
        a = [a, a]
        b = [b, b]
    return max([a, b]) == 1

### squares_for_ever
def check():
    n = 3
    while True:
        n = n * n % (10**4000 + 1) + 1

### power_of_powers
def check():
    return 9**9**9 > 0

### regular_expression_that_backtracks
def check():
    return re.match("(a|a)*$", "a" * 40 + "b") is not None

### sort_with_an_endless_key
def check():
    def key(x):
        while True:
            pass
    return sorted([1, 2], key=key) == []

### names_that_are_not_there
def check():
    while True:
        try:
            nowhere
        except NameError:
            pass

### condition_functions_without_end
def check():
    while True:
        get_state("light.hall")

### questions_without_end
def check():
    n = 0
    while True:
        n += 1
        get_state(f"light.number_{n}")

### prints_without_end
def check():
    while True:
        print("x")

### all_of_an_endless_count
import itertools

def check():
    return all(x >= 0 for x in itertools.count())

### product_of_products
import itertools

def check():
    return sum(1 for x in itertools.product(range(100), repeat=8)) == 0

### a_number_as_text
def check():
    n = 7 ** 200000
    while True:
        n = n * 3 // 2
""",
)

MEMORY = attempts(
    Kind.MEMORY,
    """
### list_times_a_number
def check():
    return len([0] * 10**10) > 0

### text_times_a_number
def check():
    return len("a" * 10**10) > 0

### text_that_doubles
def check():
    text = "a"
    while True:
        text += text

### list_that_doubles
def check():
    values = [1]
    while True:
        values += values

### list_that_grows
def check():
    values = []
    while True:
        values.append("x" * 1000 + str(len(values)))

### dict_that_grows
def check():
    values = {}
    while True:
        values[len(values)] = [0] * 100

### number_that_grows
def check():
    n = 10
    while True:
        n = n * n

### shift_of_a_number
def check():
    return (1 << 10**11) > 0

### width_of_a_format
def check():
    return len(f"{1:>{10**10}}") > 0

### width_of_a_percent_format
def check():
    return len("%10000000000d" % 1) > 0

### replacement_that_multiplies
def check():
    text = "a" * 10**5
    return len(text.replace("a", text).replace("a", text)) > 0

### join_that_multiplies
def check():
    part = "a" * 10**6
    return len(part.join(["b"] * 10**5)) > 0

### list_of_a_huge_range
def check():
    return len(list(range(10**10))) > 0

### memory_error_that_is_caught
def check():
    kept = []
    while True:
        try:
            kept.append("x" * 10**6 + str(len(kept)))
        except MemoryError:
            kept.append(1)

### state_that_grows
def check():
    while True:
        state[str(len(state))] = "x" * 10**5 + str(len(state))

### shared_lists_printed
def check():
    a = [1]
    for i in range(40):
        a = [a, a]
    return len(str(a)) > 0

### shared_lists_in_the_state
def check():
    a = [1]
    for i in range(40):
        a = [a, a]
    state["x"] = a
    return len(json.dumps(a)) > 0

### shared_lists_as_json
def check():
    a = [1]
    for i in range(40):
        a = [a, a]
    return len(json.dumps(a)) > 0

### adjust_to_a_width
def check():
    return len("a".ljust(10**10)) > 0
""",
)

RECURSION = attempts(
    Kind.RECURSION,
    """
### function_that_calls_itself
def check():
    return check()

### functions_that_call_each_other
def other():
    return check() + 1

def check():
    return other() + 1

### recursion_by_sorted
def check():
    return sorted([1, 2], key=lambda x: check())

### recursion_that_is_caught_uncaught
def check():
    def deep(n):
        return deep(n + 1) + 1
    return deep(0) > 0
""",
)

PARSER = attempts(
    Kind.PARSER,
    """
### parentheses
def check():
    return """
    + "(" * 3000
    + "1"
    + ")" * 3000
    + """

### minus_signs
def check():
    return """
    + "-" * 15000
    + """1

### lists
def check():
    return """
    + "[" * 5000
    + "]" * 5000
    + """

### nested_functions
"""
    + "".join(f"{' ' * n}def check():\n" for n in range(150))
    + " " * 150
    + """pass

### nested_f_strings
def check():
    return """
    + 'f"{' * 180
    + "1"
    + '}"' * 180,
)

DEEP = attempts(
    Kind.PARSER,
    """
### subscripts
def check():
    return [] """
    + "[0]" * 6000
    + """

### attributes
def check():
    return check"""
    + ".real" * 3900
    + """

### sums
def check():
    return """
    + "1+" * 9900
    + """1

### conditional_chain
def check():
    return """
    + "1 if 0 else " * 1650
    + """1

### lambdas
def check():
    return """
    + "lambda: " * 2400
    + """1

### comparisons_not
def check():
    return """
    + "not " * 4900
    + """1

### else_ifs
def check():
    if 0:
        pass
"""
    + "    elif 0:\n        pass\n" * 800
    + """
### too_long
def check():
    return True
"""
    + "# more\n" * 4000,
)

ATTEMPTS = TIME + MEMORY + RECURSION + PARSER
