"""Format strings, which read attributes by themselves."""

from .attempt import Kind, attempts

ATTEMPTS = attempts(
    Kind.FORMAT,
    """
### attribute_by_format
def check():
    return "{0.__class__}".format(1) == "<class 'int'>"

### globals_by_format
def check():
    return "__builtins__" in "{0.__globals__}".format(check)

### item_by_format
def check():
    return "{0[secret]}".format({"secret": "x"}) == "x" and "{0.real}".format(5) == "5"

### attribute_by_format_map
def check():
    return "{x.__class__.__name__}".format_map({"x": 1}) == "int"

### attribute_by_a_nested_field
def check():
    return "{0:{1.__class__.__name__}}".format(datetime(2026, 1, 1), 5) == "int"

### format_of_the_class
def check():
    return str.format("{0.__class__.__name__}", 1) == "int"

### format_as_a_value
def check():
    return list(map("{0.__class__.__name__}".format, [1])) == ["int"]

### object_of_an_attribute_error
def check():
    try:
        "{0.__globals__.nope}".format(check)
    except AttributeError as error:
        return "__builtins__" in error.obj

### object_of_an_attribute_error_by_a_name
def check():
    try:
        json.nope
    except AttributeError as error:
        return error.obj is json and error.name == "nope"

### the_formatter_class
def check():
    import string
    return string.Formatter().get_field("0.__class__", (1,), {})[0] is int

### the_formatter_with_own_attributes
def check():
    import string
    return string.Formatter().format("{0.__class__.__name__}", 1) == "int"

### a_template_string
def check():
    return t"{check}".interpolations[0].value.__globals__ is not None

### a_format_specification_of_an_object
class Mine:
    def __format__(self, form):
        self.form = form
        return "x"

def check():
    mine = Mine()
    return f"{mine:abc}" == "x" and mine.form == "abc"

### an_f_string_with_an_attribute
def check():
    return "int" in f"{(1).__class__}"
""",
)
