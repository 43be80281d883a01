"""Starts the server: `python -m sage_models`."""

import ipaddress
import logging
import os
import socket
import sys

from aiohttp import web

from .application import make_application
from .server_settings import read_settings

_LOGGER = logging.getLogger("sage_models")


def main() -> None:
    """Serve until the process is stopped."""
    settings = read_settings(sys.argv[1:], os.environ)
    logging.basicConfig(
        level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    application = make_application(settings)
    if settings.key is None and not _is_loopback(settings.host):
        _LOGGER.warning(
            "Without a key, everybody who reaches port %d of this machine can use the server",
            settings.port,
        )
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.create_server((settings.host, settings.port), family=family)
    port = listener.getsockname()[1]
    _LOGGER.info("Listening on http://%s:%d", settings.host, port)
    # The host name of an app is its address for Home Assistant.
    _LOGGER.info("Address for SAGE: http://%s:%d", socket.gethostname(), port)
    _LOGGER.debug("%s", settings)
    web.run_app(application, sock=listener, print=None, access_log=None)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


if __name__ == "__main__":
    main()
