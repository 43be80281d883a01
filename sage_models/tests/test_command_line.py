"""Start of the program."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from sage_models.server_settings import ServerSettings, read_settings

from .tiny_clip import NAME as TINY


def when_loaded(request: urllib.request.Request) -> Any:
    """Return the reply; ask again while the model is being loaded."""
    while True:
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)
        except HTTPError as err:
            if json.load(err)["error"]["code"] != "model_loading":
                raise


def test_the_program_serves_until_it_is_stopped(weights: Path):
    process = subprocess.Popen(
        [sys.executable, "-m", "sage_models", "--port", "0", "--offline"],
        env={**os.environ, "SAGE_MODELS_KEY": "the key", "SAGE_MODELS_WEIGHTS": str(weights)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    log = ""
    try:
        while "Listening on " not in log:
            log += (line := process.stderr.readline())
            assert line, log
        address = log.rpartition("Listening on ")[2].strip()
        urllib.request.urlopen(f"{address}/health", timeout=120)
        with pytest.raises(HTTPError, match="401"):
            urllib.request.urlopen(f"{address}/v1/models")
        request = urllib.request.Request(
            f"{address}/v1/embeddings",
            json.dumps({"model": TINY, "input": "a lamp"}).encode(),
            {"Authorization": "Bearer the key"},
        )
        vector = when_loaded(request)["data"][0]["embedding"]
    finally:
        process.send_signal(signal.SIGTERM)
        log += process.communicate(timeout=60)[1]

    assert len(vector) == 48
    assert process.returncode == 0, log
    assert "the key" not in log


def test_the_command_line_comes_before_the_environment_and_that_before_the_options(tmp_path: Path):
    file = tmp_path / "options.json"
    file.write_text('{"key": "options", "port": 1001, "host": "::1"}')
    environment = {"SAGE_MODELS_KEY": "environment", "SAGE_MODELS_PORT": "1002"}

    settings = read_settings(["--key", "line", "--options", str(file)], environment)

    assert (settings.key, settings.port, settings.host) == ("line", 1002, "::1")


def test_without_anything_it_listens_on_this_machine_only():
    assert read_settings([], {}) == ServerSettings(host="127.0.0.1", port=7997, key=None)


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (["--port", "70000"], {}, "a port is a number from 0 to 65535"),
        ([], {"SAGE_MODELS_PORT": "http"}, "a port is a number from 0 to 65535"),
        (["--weights", "/no/such/folder"], {}, "the folder of weights does not exist"),
        (["--options", "/no/such/file"], {}, "cannot be read"),
        ([], {"SAGE_MODELS_LOG_LEVEL": "loud"}, "the log level is one of"),
        ([], {"SAGE_MODELS_OFFLINE": "perhaps"}, "offline is true or false"),
    ],
)
def test_what_cannot_be_used_is_a_sentence(arguments, environment, words, capsys):
    with pytest.raises(SystemExit, match="2"):
        read_settings(arguments, environment)

    assert words in capsys.readouterr().err


def test_the_key_is_not_in_the_text_of_the_settings():
    assert "secret" not in repr(read_settings(["--key", "secret"], {}))


def test_the_port_on_the_command_line_comes_first_also_if_it_is_0():
    assert read_settings(["--port", "0"], {"SAGE_MODELS_PORT": "8000"}).port == 0
    assert read_settings([], {"SAGE_MODELS_PORT": "8000"}).port == 8000
    assert read_settings([], {}).port == ServerSettings().port
