"""Frames: from a generator, a traceback or a coroutine to the code that called."""

from .attempt import Kind, attempts

ATTEMPTS = attempts(
    Kind.FRAMES,
    """
### frame_of_a_generator_expression
def check():
    found = (x for x in [1])
    return found.gi_frame.f_builtins["open"] is not None

### frame_of_a_generator
def numbers():
    yield 1

def check():
    found = numbers()
    return "__builtins__" in found.gi_frame.f_globals

### caller_of_a_generator
def check():
    frames = []
    def numbers():
        frames.append(made.gi_frame.f_back)
        yield 1
    made = numbers()
    list(made)
    return frames[0].f_back is not None

### code_of_a_generator
def check():
    return (x for x in []).gi_code.co_name == "<genexpr>"

### frame_of_a_traceback
def check():
    try:
        1 / 0
    except ZeroDivisionError as error:
        return "__builtins__" in error.__traceback__.tb_frame.f_globals

### frame_of_a_traceback_by_with_traceback
def check():
    try:
        1 / 0
    except ZeroDivisionError as error:
        return error.with_traceback(None) is error and error.__traceback__ is None

### frame_of_the_caller_by_a_traceback
def check():
    try:
        raise ValueError
    except ValueError as error:
        return error.__traceback__.tb_frame.f_back is not None

### frame_of_a_coroutine
def check():
    async def nothing():
        return 1
    made = nothing()
    frame = made.cr_frame
    made.close()
    return frame is not None

### frame_of_an_async_generator
def check():
    async def numbers():
        yield 1
    return numbers().ag_frame is not None

### frames_of_threads
def check():
    import sys
    return len(sys._current_frames()) > 0

### own_frame
def check():
    import sys
    return sys._getframe(0).f_code.co_name == "check"

### frames_by_inspect
def check():
    import inspect
    return inspect.currentframe().f_globals is not None

### exit_of_a_context
class Catch:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        self.trace = trace
        return True

def check():
    box = Catch()
    with box:
        1 / 0
    return box.trace.tb_frame.f_globals is not None

### context_of_an_exception
def check():
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            raise KeyError("x")
    except KeyError as error:
        return error.__context__.__traceback__.tb_frame is not None
""",
)
