"""Run the simulated cloud alone: `python -m benchmark.simulator --home paper`."""

import argparse
import asyncio
from collections.abc import Callable
from pathlib import Path

from .certificate import API_HOST, certificate_pem
from .cloud import SimulatedCloud
from .home import FOLDER, load_home


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return what was asked for on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmark.simulator", description="A SmartThings cloud on loopback."
    )
    homes = sorted(path.stem for path in FOLDER.glob("*.json"))
    parser.add_argument("--home", choices=homes, default="paper", help="which home it has")
    parser.add_argument("--port", type=int, default=8080, help="port without TLS")
    parser.add_argument("--tls-port", type=int, default=8443, help="port with TLS")
    parser.add_argument("--token", help="the token that it accepts; else a random one")
    parser.add_argument(
        "--certificate", type=Path, help="file to write the certificate to, for clients to trust"
    )
    return parser.parse_args(arguments)


def announce(cloud: SimulatedCloud) -> None:
    """Print the address of a cloud and how to sign in."""
    print(f"{cloud.url}, with TLS as {API_HOST} on port {cloud.tls_port}")
    print(f"Authorization: Bearer {cloud.access_token}", flush=True)


async def async_run(
    chosen: argparse.Namespace,
    stop: asyncio.Event,
    started: Callable[[SimulatedCloud], None] = announce,
) -> None:
    """Serve until a signal; call `started` as soon as the server runs."""
    cloud = SimulatedCloud(
        load_home(chosen.home),
        port=chosen.port,
        tls_port=chosen.tls_port,
        access_token=chosen.token,
    )
    async with cloud:
        if chosen.certificate is not None:
            await asyncio.to_thread(chosen.certificate.write_bytes, certificate_pem())
        started(cloud)
        await stop.wait()


def main() -> None:
    try:
        asyncio.run(async_run(options(), asyncio.Event()))
    except KeyboardInterrupt:
        print("Stopped.")


if __name__ == "__main__":
    main()
