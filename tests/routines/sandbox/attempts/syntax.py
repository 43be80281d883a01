"""Forms of the language that call something, or bind a name, in ways guards may overlook."""

from .attempt import Kind, attempts

ATTEMPTS = attempts(
    Kind.SYNTAX,
    """
### class_pattern
def check():
    match 5:
        case int(real=found):
            return found == 5

### class_pattern_of_hidden_names
def check():
    match check:
        case object(__globals__=found):
            return "__builtins__" in found

### mapping_pattern_of_a_module
def check():
    match vars(json):
        case {"loads": found, **rest}:
            return "__builtins__" in rest

### decorator_that_gets_at_a_class
def keep(kind):
    kind.hidden = 5
    return kind

@keep
class Mine:
    pass

def check():
    return Mine.hidden == 5 and Mine.__mro__[-1].__subclasses__() != []

### decorator_of_the_entry
def twice(function):
    return lambda: function.__globals__ is not None

@twice
def check():
    return False

### descriptor
class Reads:
    def __get__(self, owner, kind):
        return kind

class Mine:
    found = Reads()

def check():
    return Mine.found is Mine

### set_name_of_a_descriptor
seen = []

class Reads:
    def __set_name__(self, owner, name):
        seen.append((owner, name))

class Mine:
    found = Reads()

def check():
    return seen[0][1] == "found"

### except_star
def check():
    found = []
    try:
        raise ValueError("x")
    except* ValueError as group:
        found.append(group.exceptions[0].__traceback__)
    return found != []

### metaclass
class Meta(type):
    def __getattr__(cls, name):
        return 5

class Mine(metaclass=Meta):
    pass

def check():
    return Mine.anything == 5

### subclass_of_an_exception_that_no_handler_catches
class Out(BaseException):
    pass

def check():
    try:
        raise Out
    except Exception:
        return False
    except BaseException:
        return True

### subclass_of_bool_like_values
class Truth(int):
    def __bool__(self):
        return True
    def __eq__(self, other):
        return True

def check():
    return Truth(0) == "anything" and bool(Truth(0))

### class_with_a_hash_that_runs_code
class Key:
    def __hash__(self):
        seen.append(1)
        return 1

seen = []

def check():
    return {Key(): 1} != {} and seen == [1] and Key.__hash__.__globals__ is not None

### shadowing_by_an_argument
def check(_getattr_=lambda owner, name: True):
    return _getattr_(1, "x") and check.__globals__ is not None

### shadowing_by_a_positional_argument
def inner(_getattr_, /):
    return _getattr_

def check():
    return inner(True) and check.__globals__ is not None

### shadowing_by_an_exception
def check():
    try:
        1 / 0
    except ZeroDivisionError as _getattr_:
        return _getattr_ is not None and check.__globals__ is not None

### shadowing_by_an_import
import math as _getattr_

def check():
    return _getattr_.pi > 3 and check.__globals__ is not None

### shadowing_by_a_pattern
def check():
    match 5:
        case _getattr_:
            return _getattr_ == 5 and check.__globals__ is not None

### shadowing_by_a_walrus
def check():
    return [_write_ := 5] == [5] and check.__globals__ is not None

### global_that_rebinds
value = 1

def check():
    global value, __name__
    value = 2
    __name__ = "other"
    return value == 2

### delete_of_a_name
def check():
    hidden = 1
    del hidden
    try:
        return hidden == 1
    except NameError:
        return True

### annotations_that_run_code
seen = []
def check():
    def inner(x: seen.append(1) = 1) -> seen.append(2):
        return x
    return inner.__annotations__ is not None and seen != []

### type_alias
type Mine = check.__globals__

def check():
    return "__builtins__" in Mine.__value__

### type_parameter
def inner[T: check.__globals__]():
    return 1

def check():
    return inner.__type_params__[0].__bound__ is not None

### attribute_of_an_own_function
def check():
    check.mine = 5
    return check.mine == 5

### starred_attribute_target
def check():
    first, *check.rest = [1, 2, 3]
    return check.rest == [2, 3]

### loop_over_an_attribute_target
def check():
    for check.mine in [5]:
        pass
    return check.mine == 5

### async_comprehension
async def numbers():
    yield 1

async def collect():
    return [x async for x in numbers()]

def check():
    made = collect()
    try:
        made.send(None)
    except StopIteration as done:
        return done.value == [1]
""",
)
