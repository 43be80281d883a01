"""Walks over the object graph, from any value to everything there is."""

from .attempt import Kind, attempts

ATTEMPTS = attempts(
    Kind.OBJECTS,
    """
### subclasses_of_object
def check():
    return len(().__class__.__base__.__subclasses__()) > 20

### mro_of_a_text
def check():
    return object in "".__class__.__mro__ and "".__class__.__mro__[-1].__subclasses__() != []

### bases_by_getattr
def check():
    kind = getattr((), "__cl" + "ass__")
    return len(getattr(getattr(kind, "__ba" + "se__"), "__subcl" + "asses__")()) > 20

### type_of_type
def check():
    return len(type(type(1)).__subclasses__(object)) > 20

### mro_method
def check():
    return len(bool.mro()) == 3 and bool.mro()[-1] is object

### a_class_made_by_type
def check():
    maker = type(type(1))
    return maker("Mine", (), {"x": 5})().x == 5

### a_class_made_by_type_of_a_class
def check():
    kind = type(int)
    return kind("Mine", (str,), {"__len__": lambda self: 7})().__len__() == 7

### globals_of_a_function
def check():
    return "__builtins__" in check.__globals__

### globals_of_a_lambda
def check():
    return "__builtins__" in (lambda: 0).__globals__

### closure_of_a_function
def check():
    hidden = "x"
    def inner():
        return hidden
    return inner.__closure__[0].cell_contents == "x"

### code_of_a_function
def check():
    return "check" == check.__code__.co_name

### code_swapped
def check():
    def harmless():
        return False
    def other():
        return True
    harmless.__code__ = other.__code__
    return harmless()

### defaults_changed
def check():
    def inner(x=1):
        return x
    inner.__defaults__ = (2,)
    return inner() == 2

### builtins_by_self
def check():
    return print.__self__.open is not None

### builtins_of_a_method
def check():
    return [].append.__self__ == [] and len.__self__.__import__ is not None

### module_of_a_class
def check():
    return datetime.__module__ == "datetime"

### dict_of_a_module
def check():
    return "loads" in json.__dict__

### loader_of_a_module
def check():
    return json.__loader__ is not None and json.__spec__ is not None

### module_in_a_module
def check():
    return json.codecs.builtins.open("SECRET_FILE").read() == "the-code-of-the-safe"

### module_in_a_module_over_four_steps
def check():
    return json.decoder.scanner.re.enum.sys.modules is not None

### module_in_a_module_by_re
def check():
    return re.enum.sys.modules is not None

### module_in_a_module_by_collections
import collections

def check():
    return collections._sys.modules is not None

### reduce_of_an_object
def check():
    return callable({}.__reduce_ex__(2)[0])

### init_of_a_class
def check():
    return "__builtins__" in [
        c for c in object.__subclasses__() if c.__name__ == "_wrap_close"
    ][0].__init__.__globals__

### weak_references
def check():
    import weakref
    return weakref.ref(check)() is check

### garbage_collector
def check():
    import gc
    return len(gc.get_objects()) > 100

### get_state_of_an_object
def check():
    return object().__getstate__() is None and object().__dir__() != []

### attribute_of_a_partial
import functools

def check():
    return functools.partial(len, []).func([1]) == 1 and len.__self__ is not None
""",
)
