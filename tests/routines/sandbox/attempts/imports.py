"""Imports, and what modules would lead to: files, sockets, processes, the environment."""

from .attempt import Kind, attempts

ATTEMPTS = attempts(
    Kind.IMPORTS,
    """
### import_os
import os

def check():
    return os.getpid() > 0 and os.environ is not None

### import_within_a_function
def check():
    import subprocess
    return subprocess.run(["true"]).returncode == 0

### import_from
def check():
    from os import listdir
    return len(listdir("/")) > 0

### import_of_a_submodule
def check():
    import collections.abc
    import os.path
    return os.path.exists("/")

### import_with_a_star
from os import *

def check():
    return getcwd() != ""

### import_by_its_function
def check():
    return __import__("os").getpid() > 0

### import_by_importlib
def check():
    import importlib
    return importlib.import_module("os").getpid() > 0

### import_of_builtins
def check():
    import builtins
    return builtins.open is not None

### import_of_sys
def check():
    import sys
    return "os" in sys.modules

### import_of_home_assistant
def check():
    import homeassistant.const
    return homeassistant.const.MAJOR_VERSION > 2000

### import_of_ctypes
def check():
    import ctypes
    return ctypes.sizeof(ctypes.c_int) == 4

### reads_a_file_by_pathlib
from pathlib import Path

def check():
    return Path("SECRET_FILE").read_text() == "the-code-of-the-safe"

### writes_a_file_by_pathlib
def check():
    from pathlib import Path
    return Path("NEW_FILE").write_text("x") == 1

### reads_a_file_by_io
def check():
    import io
    return io.FileIO("SECRET_FILE").read() == b"the-code-of-the-safe"

### reads_a_file_by_linecache
def check():
    import linecache
    return linecache.getline("SECRET_FILE", 1).startswith("the-code")

### reads_a_file_by_os
def check():
    import os
    return os.read(os.open("SECRET_FILE", os.O_RDONLY), 8) == b"the-code"

### opens_a_socket
def check():
    import socket
    socket.create_connection(("127.0.0.1", PORT), 2).close()
    return True

### fetches_a_page
def check():
    import urllib.request
    try:
        urllib.request.urlopen("http://127.0.0.1:PORT/", timeout=0.2)
    except Exception as error:
        return "timed out" in str(error)
    return True

### kills_the_process_above
def check():
    import os, signal
    os.kill(os.getppid(), 0)
    return True

### sleeps
def check():
    import time
    started = time.perf_counter()
    time.sleep(0.05)
    return time.perf_counter() - started >= 0.05 and time.sleep is not None

### starts_a_thread
def check():
    import threading
    seen = []
    thread = threading.Thread(target=lambda: seen.append(1))
    thread.start()
    thread.join()
    return seen == [1]
""",
)
