"""A certificate for the simulated cloud, made when it is first needed."""

import asyncio
import datetime as dt
import ssl
import tempfile
from functools import lru_cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

API_HOST = "api.smartthings.com"
TOKEN_HOST = "auth-global.api.smartthings.com"  # noqa: S105
HOSTS = (API_HOST, TOKEN_HOST)


async def server_context() -> ssl.SSLContext:
    """Return what a server needs to be taken for the real one."""
    return await asyncio.to_thread(_server_context)


async def client_context() -> ssl.SSLContext:
    """Return a context that trusts this certificate besides the usual authorities."""
    return await asyncio.to_thread(_client_context)


def certificate_pem() -> bytes:
    """Return the certificate, which signs itself; the same all through the process."""
    return _made()[0]


@lru_cache(maxsize=1)
def _made() -> tuple[bytes, bytes]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, API_HOST)])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Tests freeze the clock; the system that checks this one does not.
        .not_valid_before(now - dt.timedelta(days=3650))
        .not_valid_after(now + dt.timedelta(days=3650))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host) for host in HOSTS]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return certificate.public_bytes(serialization.Encoding.PEM), private


@lru_cache(maxsize=1)
def _server_context() -> ssl.SSLContext:
    certificate, private = _made()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cloud.pem"
        path.touch(mode=0o600)
        path.write_bytes(certificate + private)
        context.load_cert_chain(path)
    return context


@lru_cache(maxsize=1)
def _client_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    context.load_verify_locations(cadata=certificate_pem().decode())
    return context
