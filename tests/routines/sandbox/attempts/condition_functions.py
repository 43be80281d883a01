"""Attacks on condition functions: their attributes and their arguments.

In plain CPython `get_state(name)` and `get_history(name, minutes=60)` are ordinary
functions of the host, next to a global `secret`; `get_state` looks its argument up in a dict
and `get_history` builds a list of `minutes` numbers, as a careless host would.
"""

from .attempt import Kind, attempts

ATTEMPTS = attempts(
    Kind.FUNCTIONS,
    """
### globals_of_a_condition_function
def check():
    return get_state.__globals__["secret"] == "the-code-of-the-safe"

### closure_of_a_condition_function
def check():
    return get_state.__closure__ is None and get_state.__code__.co_argcount == 1

### names_of_a_condition_function
def check():
    return "name" in get_state.__code__.co_varnames

### attribute_set_on_a_condition_function
def check():
    get_state.mine = 5
    return get_state.mine == 5

### code_of_a_condition_function_swapped
def check():
    get_state.__code__ = (lambda name: "open").__code__
    return get_state("x") == "open"

### condition_function_wrapped
import functools

def check():
    return functools.wraps(get_state)(lambda: 0).__wrapped__ is get_state

### attribute_by_the_format_of_a_condition_function
def check():
    return "the-code" in "{0.__globals__[secret]}".format(get_state)

### argument_with_a_hash
seen = []

class Key:
    def __hash__(self):
        seen.append(1)
        return 1

def check():
    get_state(Key())
    return seen == [1]

### argument_that_is_equal_to_everything
class Same(str):
    def __eq__(self, other):
        return True
    def __hash__(self):
        return hash("light.hall")

def check():
    return get_state(Same("lock.door")) == "on"

### argument_with_a_text_of_its_own
class Named(str):
    def __str__(self):
        return "light.hall"

def check():
    return get_state(Named("light.hall")) == "on"

### argument_that_is_a_function
def check():
    return get_state(check) is None

### argument_that_is_a_list
def check():
    return len(get_history(["light.hall"], minutes=2)) == 2

### argument_that_is_huge
def check():
    return len(get_history("light.hall", minutes=10**6)) == 10**6

### argument_that_is_a_huge_text
def check():
    return get_state("x" * 10**6) is None and get_state is not None

### argument_that_is_no_number
def check():
    return get_history("light.hall", minutes=float("nan")) == []

### argument_by_the_name_of_another_function
def check():
    return get_state(name="light.hall") == "on" and get_state.__name__ == "get_state"

### condition_function_as_its_own_argument
def check():
    return get_history(get_state, minutes=1) == [0]
""",
)
