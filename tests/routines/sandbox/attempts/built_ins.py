"""Built-in functions that lead out."""

from .attempt import Kind, attempts

ATTEMPTS = attempts(
    Kind.BUILT_INS,
    """
### reads_a_file
def check():
    return open("SECRET_FILE").read() == "the-code-of-the-safe"

### writes_a_file
def check():
    with open("NEW_FILE", "w") as made:
        made.write("x")
    return True

### writes_a_file_by_print
def check():
    print("x", file=open("NEW_FILE", "w"))
    return True

### open_under_another_name
def check():
    reader = open
    return reader("SECRET_FILE").read() == "the-code-of-the-safe"

### eval_of_a_text
def check():
    return eval("1 + 1") == 2

### eval_under_another_name
def check():
    return [eval][0]("__import__('os').getpid()") > 0

### eval_of_hidden_names
def check():
    return eval("__builtins__") is not None

### exec_of_a_text
def check():
    box = {}
    exec("x = 5", box)
    return box["x"] == 5

### compile_of_a_text
def check():
    return eval(compile("1 + 1", "x", "eval")) == 2

### all_names
def check():
    return "check" in globals()

### names_of_a_scope
def check():
    hidden = 1
    return locals()["hidden"] == 1

### names_of_an_object
def check():
    return "loads" in vars(json) and "__class__" in dir(1)

### getattr_of_a_hidden_name
def check():
    return getattr(1, "__class__") is int

### setattr_of_a_module
def check():
    setattr(json, "mine", 5)
    return json.mine == 5

### object_by_its_address
def check():
    return id(check) > 0 and "0x" in repr(check) and hash(check) != 0 and hasattr(check, "__code__")

### memory_of_an_object
def check():
    return memoryview(bytearray(b"ab"))[0] == 97

### reads_the_input
def check():
    return input is not None and callable(input) and input.__name__ == "input"

### ends_the_process
def check():
    try:
        exit(3)
    except BaseException as error:
        return type(error).__name__ == "SystemExit"

### ends_the_process_past_every_handler
def check():
    try:
        raise SystemExit(3)
    except Exception:
        return False
    except:
        return True

### super_of_a_class
def check():
    return super(int, 5).__init__ is not None

### build_class
def check():
    return __builtins__ is not None and __name__ is not None

### property_of_a_class
def check():
    return property(lambda self: 5).fget(1) == 5
""",
)
