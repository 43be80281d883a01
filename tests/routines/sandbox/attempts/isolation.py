"""Getting at other routines: their names, values, state, and what they compute with.

The other checks of the batch have a state with the key `owner_note`, as has a dict of the
host in plain CPython.

The victim runs in the same process in plain CPython, and in the same batch in the sandbox.
"""

from .attempt import Kind, attempts

ATTEMPTS = attempts(
    Kind.ISOLATION,
    """
### a_constant_of_a_module_is_changed
def check():
    math.pi = 3
    return math.pi == 3

### victim
def check():
    return math.pi == 3

### a_function_of_a_module_is_changed
def check():
    json.loads = lambda text: 5
    return json.loads("1") == 5

### victim
def check():
    return json.loads("1") == 5

### a_method_of_a_class_is_changed
import collections

def check():
    collections.Counter.most_common = lambda self, n=None: [("mine", 1)]
    return collections.Counter("a").most_common(1) == [("mine", 1)]

### victim
import collections

def check():
    return collections.Counter("a").most_common(1) == [("mine", 1)]

### a_built_in_is_changed
def check():
    print.__self__.len = lambda x: 5
    return len([]) == 5

### victim
def check():
    return len([]) == 5

### a_module_takes_a_name
def check():
    json.note = "from me"
    return json.note == "from me"

### victim
def check():
    try:
        return json.note == "from me"
    except AttributeError:
        return False

### a_name_of_the_module_level
left = "from me"

def check():
    import builtins
    builtins.left = left
    return True

### victim
def check():
    try:
        return left == "from me"
    except NameError:
        return False

### a_default_of_a_shared_function
def check():
    json.dumps.__kwdefaults__["sort_keys"] = True
    return json.dumps({"b": 1, "a": 2}) == '{"a": 2, "b": 1}'

### victim
def check():
    return json.dumps({"b": 1, "a": 2}) == '{"a": 2, "b": 1}'

### an_answer_that_is_changed
def check():
    get_list().append("from me")
    return "from me" in get_list()

### victim
def check():
    return "from me" in get_list()

### all_objects_are_searched
def check():
    import gc
    return any(type(each) is dict and "owner_note" in each for each in gc.get_objects())

### the_recursion_limit
def check():
    import sys
    sys.setrecursionlimit(5000)
    return sys.getrecursionlimit() == 5000

### victim
def check():
    def deep(n):
        return 0 if n == 0 else 1 + deep(n - 1)
    try:
        return deep(3000) == 3000
    except RecursionError:
        return False

### the_environment
def check():
    import os
    os.environ["LEFT"] = "from me"
    return True

### victim
def check():
    import os
    return os.environ.get("LEFT") == "from me"
""",
)
