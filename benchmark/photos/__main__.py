"""Sixty descriptions of devices, asked for in a Home Assistant with photos of them.

    python -m benchmark.photos [--weights FOLDER] [--server-python PYTHON] [--only photos,captions]

Runs Home Assistant with SAGE and 63 devices of three drawn homes, whose names and areas say nothing
of their places. An agent with a scripted model asks the disambiguation tool for each of the sixty
held-out descriptions, and for fifteen that fit no device:

- *neither*: no photo, no caption. The tool has to say so, and no answer may be called clear.
- *photos*: photos without captions, compared by the models server over HTTP. Its model is trained
  now, in minutes, or was written before by `python -m benchmark.photos.train FOLDER`.
- *captions*: the captions of the household, compared by the built-in text embeddings.

*right* counts the descriptions whose device is the best match, with the 95 % interval of Wilson;
*clear, wrong* those whose match is wrong and called clear. *none fits* counts the descriptions that
fit no device and get no clear match, *none, wrong* those that get one. *ms* is the median time of a
question, with all that the agent does for it.

Prints a table, the descriptions that are not found, and one line of JSON; exits with 1 when a bound
is missed, with 2 when nothing could be measured.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from homeassistant.runner import create_event_loop

from .captions import BOUND as CAPTIONS_BOUND
from .descriptions import DESCRIPTIONS, NONE_FIT, Description
from .matching import chance, wilson
from .models_server import ModelsServerError, environment_python, models_server, train
from .photographed_home import Answer, PhotographedHome, photographed_home
from .train import BOUND as PHOTOS_BOUND

NEITHER: Final = "neither"
PHOTOS: Final = "photos"
CAPTIONS: Final = "captions"
PATHS: Final = (NEITHER, PHOTOS, CAPTIONS)
"""In the order in which they are measured."""

_BOUNDS: Final = {PHOTOS: PHOTOS_BOUND, CAPTIONS: CAPTIONS_BOUND}
_SAYS_SO: Final = {
    NEITHER: ("There are no photos of these devices to compare with.", "No device fits "),
    PHOTOS: (f", {PHOTOS} ",),
    CAPTIONS: (f", {CAPTIONS} ",),
}
"""One of these is in each reply of the tool, by what it had to compare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A description and the reply of the tool."""

    description: Description
    answer: Answer
    seconds: float

    @property
    def is_right(self) -> bool:
        """Whether the best match is the device; for none, whether no match is clear."""
        if self.description.device_id is None:
            return not self.answer.is_clear
        return self.answer.device_id == self.description.device_id


def figures_of_path(path: str, asked: Sequence[Asked]) -> dict[str, Any]:
    """Return the figures of one path."""
    fitting = [each for each in asked if each.description.device_id is not None]
    others = [each for each in asked if each.description.device_id is None]
    right = sum(each.is_right for each in fitting)
    low, high = wilson(right, len(fitting))
    refused = sum(each.is_right for each in others)
    return {
        "right": right,
        "of": len(fitting),
        "interval": [round(low, 3), round(high, 3)],
        "clear_right": sum(each.is_right and each.answer.is_clear for each in fitting),
        "clear_wrong": sum(not each.is_right and each.answer.is_clear for each in fitting),
        "none_right": refused,
        "none_wrong": len(others) - refused,
        "silent": sum(
            not any(part in each.answer.text for part in _SAYS_SO[path]) for each in asked
        ),
        "ms": round(statistics.median(each.seconds for each in asked) * 1000),
    }


def missed_bounds(paths: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the bounds that do not hold."""
    missed = [
        f"{path}: at least {_BOUNDS[path]:.0%} right"
        for path, each in paths.items()
        if path in _BOUNDS and each["right"] < _BOUNDS[path] * each["of"]
    ]
    missed += [
        f"{path}: each reply names what was compared"
        for path, each in paths.items()
        if each["silent"]
    ]
    neither = paths.get(NEITHER, {"clear_right": 0, "clear_wrong": 0, "none_wrong": 0})
    if neither["clear_right"] or neither["clear_wrong"] or neither["none_wrong"]:
        missed.append(f"{NEITHER}: no match is clear")
    return missed


async def _async_asked(home: PhotographedHome) -> list[Asked]:
    asked = []
    for description in (*DESCRIPTIONS, *NONE_FIT):
        begin = time.perf_counter()
        answer = await home.async_ask(description)
        seconds = time.perf_counter() - begin
        asked.append(Asked(description=description, answer=answer, seconds=seconds))
    return asked


async def _async_measure(
    folder: Path, paths: Sequence[str], server: tuple[Path, Path] | None
) -> dict[str, list[Asked]]:
    """Return what was asked on each path; `server`: its Python, and the folder of the model."""
    found: dict[str, list[Asked]] = {}
    async with AsyncExitStack() as stack:
        url = ""
        if server is not None:
            python, model = server
            running = models_server(python, model.parent, model.name)
            url = await stack.enter_async_context(running)
        home = await stack.enter_async_context(photographed_home(folder))
        if NEITHER in paths:
            found[NEITHER] = await _async_asked(home)
        await home.async_add_photos()
        if server is not None:
            await home.async_connect(url, server[1].name)
            found[PHOTOS] = await _async_asked(home)
            await home.async_disconnect()
        if CAPTIONS in paths:
            await home.async_write_captions()
            found[CAPTIONS] = await _async_asked(home)
    return found


def _show(found: Mapping[str, Sequence[Asked]]) -> int:
    """Print everything; return the exit code."""
    paths = {path: figures_of_path(path, asked) for path, asked in found.items()}
    columns = ("right", "95 % interval", "clear", "clear, wrong", "none fits", "none, wrong", "ms")
    widths = (10, 18, 8, 14, 11, 13, 8)
    titles = "".join(f"{name:>{width}}" for name, width in zip(columns, widths, strict=True))
    print(f"{'compared':10}{titles}")
    for path, each in paths.items():
        low, high = each["interval"]
        cells = (
            f"{each['right']} of {each['of']}",
            f"{low:.1%} to {high:.1%}",
            each["clear_right"] + each["clear_wrong"],
            each["clear_wrong"],
            each["none_right"],
            each["none_wrong"],
            each["ms"],
        )
        shown = "".join(f"{cell!s:>{width}}" for cell, width in zip(cells, widths, strict=True))
        print(f"{path:10}{shown}")
    print(f"A guess finds {chance():.1%}.\n")
    for path in (PHOTOS, CAPTIONS):
        for said in found.get(path, ()):
            if not said.is_right:
                wanted = said.description.device_id or "none"
                clear = "clear" if said.answer.is_clear else "not clear"
                print(
                    f"{path}: {said.description.text!r} is {wanted}, "
                    f"found {said.answer.device_id}, {clear}"
                )
    missed = missed_bounds(paths)
    for bound in missed:
        print(f"MISSED  {bound}")
    told = {"benchmark": "photos", "chance": round(chance(), 3), "paths": paths, "missed": missed}
    print(json.dumps(told))
    return int(bool(missed))


def _paths(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(",")))
    if unknown := [name for name in names if name not in PATHS]:
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}")
    return names


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.photos", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--weights", type=Path, help="folder of a trained model")
    parser.add_argument("--server-python", type=Path, help="default: that of scripts/models")
    parser.add_argument("--only", type=_paths, default=PATHS, help=f"of {','.join(PATHS)}")
    arguments = parser.parse_args(argv)
    with (
        tempfile.TemporaryDirectory(prefix="sage-photos-") as name,
        asyncio.Runner(loop_factory=create_event_loop) as runner,
    ):
        (configuration := Path(name) / "home").mkdir()
        try:
            server = None
            if PHOTOS in arguments.only:
                python = arguments.server_python or environment_python()
                weights = arguments.weights or Path(name) / "weights" / "drawn-photos"
                if arguments.weights is None:
                    train(python, weights)
                server = (python, weights.resolve())
            found = runner.run(_async_measure(configuration, arguments.only, server))
        except (ModelsServerError, TimeoutError) as err:
            print(err or "The models server took too long.", file=sys.stderr)
            return 2
        return _show(found)


if __name__ == "__main__":
    sys.exit(main())
