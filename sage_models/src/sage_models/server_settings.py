"""How the server is started: command line, environment variables, options of the app."""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_VARIABLE: Final = "SAGE_MODELS_"
_MB: Final = 1 << 20
_LOG_LEVELS: Final = ("debug", "info", "warning", "error")
_TRUE: Final = ("1", "true", "yes", "on")
_FALSE: Final = ("", "0", "false", "no", "off")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one request, and of all requests at once."""

    body_bytes: int = 16 * _MB
    inputs: int = 256
    text_characters: int = 32_768
    """The models read less (256 and 77 tokens); the rest only costs time."""

    image_bytes: int = 10 * _MB
    pixels: int = 25_000_000
    side_ratio: int = 10
    """Long side by short side: the short one is resized to the model's, the long one follows."""

    jpeg_scans: int = 32
    """A progressive photo has about ten; each one costs a pass over all pixels."""

    recordings: int = 16
    """Of speech, in one request."""

    speech_seconds: float = 30.0
    """Of one recording; a voice is known after some seconds."""

    requests: int = 64
    """Requests in progress; a further one is refused with Retry-After."""

    waiting_bytes: int = 64 * _MB
    """Bodies of all requests in progress."""

    body_seconds: float = 30.0
    """Until a request has been read."""

    load_seconds: float = 20.0
    """Until a request no longer waits for its model; a download takes minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Everything that is decided when the server starts."""

    host: str = "127.0.0.1"
    port: int = 7997
    """0 takes a free port; the log names it."""

    key: str | None = field(default=None, repr=False)
    """Required as a bearer token; None: everybody who reaches the port may use it."""

    weights: Path | None = None
    """Folder of models brought by hand, one folder each; it comes before any other source."""

    offline: bool = False
    """Whether weights are never downloaded."""

    log_level: str = "info"
    limits: Limits = field(default_factory=Limits)


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> ServerSettings:
    """Return the settings; the command line comes first, then the environment, then the options.

    Exits with a sentence on standard error if one of them cannot be used.
    """
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        options = _app_options(given.options or environment.get(f"{_VARIABLE}OPTIONS"))
        values = {**options, **_variables(environment)}
        # Port 0 is a value, although it equals False.
        values |= {
            name: value
            for name, value in vars(given).items()
            if value is not None and value is not False
        }
        return _settings(values)
    except ValueError as err:
        parser.error(str(err))


def _parser() -> argparse.ArgumentParser:
    default = ServerSettings()
    parser = argparse.ArgumentParser(
        prog="python -m sage_models",
        description="Serves embeddings of texts, images and voices in the form of OpenAI's API.",
        epilog=f"Each option is also an environment variable, such as {_VARIABLE}KEY.",
    )
    parser.add_argument("--host", help=f"address to listen on (default: {default.host})")
    parser.add_argument("--port", type=int, help=f"(default: {default.port})")
    parser.add_argument(
        "--key", help="required as a bearer token; other users of the machine can see this option"
    )
    parser.add_argument("--weights", metavar="FOLDER", help="folder of models brought by hand")
    parser.add_argument("--offline", action="store_true", help="never download weights")
    parser.add_argument("--log-level", choices=_LOG_LEVELS, help=f"(default: {default.log_level})")
    parser.add_argument("--options", metavar="FILE", help="JSON file with these options")
    return parser


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: environment[variable]
        for name in ("host", "port", "key", "weights", "offline", "log_level")
        if environment.get(variable := _VARIABLE + name.upper())
    }


def _app_options(file: str | None) -> dict[str, Any]:
    if not file:
        return {}
    try:
        options = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as err:
        raise ValueError(f"the options in {file} cannot be read: {err}") from None
    if isinstance(options, dict):
        return options
    raise ValueError(f"the options in {file} are not a JSON object")


def _settings(values: Mapping[str, Any]) -> ServerSettings:
    default = ServerSettings()
    port = _port(values.get("port", default.port))
    level = str(values.get("log_level", default.log_level)).lower()
    if level not in _LOG_LEVELS:
        raise ValueError(f"the log level is one of {', '.join(_LOG_LEVELS)}, not {level}")
    weights = values.get("weights")
    folder = Path(str(weights)).expanduser() if weights else None
    if folder is not None and not folder.is_dir():
        raise ValueError(f"the folder of weights does not exist: {folder}")
    return ServerSettings(
        host=str(values.get("host", default.host)),
        port=port,
        key=str(values.get("key") or "") or None,
        weights=folder,
        offline=_truth(values.get("offline", False)),
        log_level=level,
    )


def _port(value: Any) -> int:
    try:
        port = int(value)
    except (TypeError, ValueError):
        port = -1
    if not 0 <= port < 1 << 16:
        raise ValueError(f"a port is a number from 0 to 65535, not {value}")
    return port


def _truth(value: Any) -> bool:
    text = str(value).lower()
    if text not in (*_TRUE, *_FALSE):
        raise ValueError(f"offline is true or false, not {value}")
    return text in _TRUE
