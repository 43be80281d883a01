"""Servers that cannot serve: each failure has a kind that names its cause and its remedy."""

import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from homeassistant.core import HomeAssistant

from benchmark.loopback import ServerThread
from custom_components.sage.config.probe import async_find_server
from custom_components.sage.model.language_model import (
    ChatMessage,
    ModelError,
    ModelErrorKind,
    ModelRequest,
    RetryPolicy,
    ToolSpec,
)
from custom_components.sage.model.model_errors import failure_of
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client

LIGHT = ToolSpec(name="light", description="Switch a light.", parameters={"type": "object"})
HELLO = ModelRequest(messages=(ChatMessage(role="user", content="Hello"),), tools=(LIGHT,))
ONCE = RetryPolicy(attempts=1)
PAGE = "<!DOCTYPE html><html><title>Proxy</title></html>"


class WrongServer:
    """Gives the same answer to every request, in a thread of its own."""

    def __init__(
        self, answer: Callable[[], web.Response] = web.Response, tls: ssl.SSLContext | None = None
    ) -> None:
        self._answer, self._tls = answer, tls
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def async_start(self) -> None:
        async def handle(_: web.Request) -> web.Response:
            return self._answer()

        app = web.Application()
        app.router.add_route("*", "/{path:.*}", handle)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._tls).start()
        self.port = self._runner.addresses[0][1]

    async def async_stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    def __enter__(self) -> int:
        # A failed handshake is an error of the loop in which the server runs.
        self._thread = ServerThread(self)
        self._thread.begin()
        return self.port

    def __exit__(self, *_: object) -> None:
        self._thread.end()


async def failure(hass: HomeAssistant, url: str, *, is_streamed: bool = False) -> ModelError:
    model = OpenAIModel(await async_create_client(hass, url, "key"), "m", policy=ONCE)
    with pytest.raises(ModelError) as caught:
        await model.async_complete(HELLO, on_delta=(lambda _: None) if is_streamed else None)
    return caught.value


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (402, '{"error": {"message": "Insufficient credits", "code": 402}}', "no_credit"),
        (402, "", "no_credit"),
        (429, '{"error": {"message": "Quota", "code": "insufficient_quota"}}', "no_credit"),
        (429, '{"error": {"type": "exceeded_current_quota_error"}}', "no_credit"),
        (400, '{"error": {"message": "Your credit balance is too low"}}', "no_credit"),
        (403, '{"error": "Your team doesn\'t have any credits yet."}', "no_credit"),
        (200, '{"error": {"message": "Insufficient credits", "code": 402}}', "no_credit"),
        (404, '{"error": {"message": "No endpoints found that support tool use"}}', "no_tools"),
        (400, '{"error": {"message": "library/x does not support tools"}}', "no_tools"),
        (400, '{"error": "`tools` is not supported by this model"}', "no_tools"),
        (400, '{"error": "Function calling is not enabled for models/gemma"}', "no_tools"),
        (500, '{"error": {"message": "tools param requires --jinja flag"}}', "no_tools"),
        (400, '{"message": "\\"auto\\" needs --enable-auto-tool-choice"}', "no_tools"),
        (422, '{"detail": [{"loc": ["body", "tools"], "msg": "extra fields"}]}', "no_tools"),
        (404, '{"error": {"message": "No endpoints found for x/y"}}', "no_such_model"),
        (400, '{"message": "This model doesn\'t support tool use."}', "no_tools"),
        (400, '{"error": {"message": "x is not a valid model ID"}}', "no_such_model"),
        (400, '{"error": {"message": "The model `x` has been decommissioned"}}', "no_such_model"),
        (400, '{"error": {"code": "unavailable_model"}}', "no_such_model"),
        (400, '{"error": "No models loaded."}', "no_such_model"),
        (404, '{"error": {"code": "DeploymentNotFound"}}', "no_such_model"),
        (404, '{"error": {"type": "not_found_error", "message": "model: x"}}', "no_such_model"),
        (404, '[{"error": {"message": "models/x is not found for API v1"}}]', "no_such_model"),
        (404, '{"error": {"type": "not_found_error", "message": "File"}}', "wrong_address"),
        (400, '[{"error": {"message": "API key not valid."}}]', "key_refused"),
        (400, '{"error": {"message": "API key expired."}}', "key_refused"),
        (400, '{"error": {"message": "Budget has been exceeded!"}}', "no_credit"),
        (403, '{"error": {"message": "Key limit exceeded (total limit)."}}', "no_credit"),
        (403, '{"error": {"message": "Country or region not supported"}}', "refused"),
        (403, '{"error": {"message": "Input was flagged by moderation"}}', "refused"),
        (403, '{"error": {"message": "Your API key was reported as leaked"}}', "key_refused"),
        (403, "error code: 1020", "wrong_address"),
        (200, '{"error": "Unexpected endpoint or method. (POST /chat)"}', "wrong_address"),
        (500, '{"error": {"message": "4500 tokens exceed context window"}}', "prompt_too_long"),
        (200, '{"error": {"message": "tokens when context the overflows"}}', "prompt_too_long"),
        (502, "Bad Gateway", "unreachable"),
        (503, "", "unreachable"),
        (530, "error code: 1033", "unreachable"),
        (502, '{"error": {"message": "Provider returned error"}}', "server_error"),
        (503, '{"error": "server busy"}', "server_error"),
        (404, '{"detail": "Not Found"}', "wrong_address"),
        (405, "", "wrong_address"),
        (400, "Client sent an HTTP request to an HTTPS server.", "wrong_address"),
        (200, "", "wrong_address"),
        (200, PAGE, "wrong_address"),
        (403, PAGE, "wrong_address"),
        (404, PAGE, "wrong_address"),
        (400, PAGE, "wrong_address"),
        (401, PAGE, "key_refused"),
        (502, PAGE, "unreachable"),
        (503, PAGE, "unreachable"),
        (522, PAGE, "unreachable"),
        (500, "", "server_error"),
        (301, "", "wrong_address"),
        (302, "", "wrong_address"),
        (307, "", "wrong_address"),
        (308, "", "wrong_address"),
    ],
)
@pytest.mark.parametrize("is_streamed", [True, False])
async def test_status_and_body(
    hass: HomeAssistant, socket_enabled: None, status: int, body: str, kind: str, is_streamed: bool
):
    content_type = "text/html" if body == PAGE else "application/json"
    headers = {"Location": "https://other.test/v1"} if 300 <= status < 400 else {}

    def answer() -> web.Response:
        return web.Response(status=status, text=body, content_type=content_type, headers=headers)

    with WrongServer(answer) as port:
        err = await failure(hass, f"http://127.0.0.1:{port}/v1", is_streamed=is_streamed)

    assert err.kind == kind


@pytest.mark.parametrize(("days", "host"), [(-1, "127.0.0.1"), (1, "127.0.0.1"), (1, "other.test")])
async def test_certificates(
    hass: HomeAssistant, socket_enabled: None, tmp_path: Path, days: int, host: str
):
    """Expired, made by oneself, and for another name; in a request and in the set-up."""
    with WrongServer(tls=certificate(tmp_path, host, days)) as port:
        err = await failure(hass, f"https://127.0.0.1:{port}/v1")
        with pytest.raises(ModelError) as in_setup:
            await async_find_server(hass, f"https://127.0.0.1:{port}", None)

    assert err.kind is ModelErrorKind.CERTIFICATE
    assert in_setup.value.kind is ModelErrorKind.CERTIFICATE


@pytest.mark.parametrize(("days", "host"), [(-1, "127.0.0.1"), (1, "other.test")])
async def test_certificates_of_a_trusted_authority(
    socket_enabled: None, tmp_path: Path, days: int, host: str
):
    with WrongServer(tls=certificate(tmp_path, host, days)) as port:
        trusting = ssl.create_default_context(cafile=tmp_path / "server.pem")
        async with httpx.AsyncClient(verify=trusting) as client:
            with pytest.raises(httpx.HTTPError) as caught:
                await client.get(f"https://127.0.0.1:{port}/v1")

    assert failure_of(caught.value).kind == ModelErrorKind.CERTIFICATE


async def test_https_on_a_plain_port(hass: HomeAssistant, socket_enabled: None):
    with WrongServer() as port:
        err = await failure(hass, f"https://127.0.0.1:{port}/v1")

    assert err.kind is ModelErrorKind.WRONG_ADDRESS


async def test_a_redirect_gets_no_key(hass: HomeAssistant, socket_enabled: None):
    """The set-up does not follow a redirect either: it would send the key to another server."""
    location = {"Location": "https://other.test/v1/models"}
    server = WrongServer(lambda: web.Response(status=301, headers=location))
    with server as port, pytest.raises(ModelError) as caught:
        await async_find_server(hass, f"http://127.0.0.1:{port}", "key")

    assert caught.value.kind is ModelErrorKind.WRONG_ADDRESS


def certificate(folder: Path, host: str, days: int) -> ssl.SSLContext:
    """Return a server's TLS context, with a self-signed certificate that ends in `days` days."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    is_name = host.endswith(".test")
    names = [x509.DNSName(host) if is_name else x509.IPAddress(ip_address(host))]
    end = datetime.now(UTC) + timedelta(days=days)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(end - timedelta(days=30))
        .not_valid_after(end)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "server.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
