"""Redirects are followed only to where the first address may lead."""

from collections.abc import AsyncGenerator

import pytest
from aiohttp import web
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from yarl import URL

from benchmark.loopback import Loopback
from custom_components.sage.config.embedders import async_server_embedder
from custom_components.sage.external import ExternalError
from custom_components.sage.external.bounded import async_is_public
from custom_components.sage.external.place_weather import PlaceWeather
from custom_components.sage.external.xmltv import GuideError
from custom_components.sage.model.language_model import ModelError, ModelErrorKind
from tests.guide_house import GuideSource, guide_source, make_guide, on_air

__all__ = ["guide_source"]


class Redirector:
    """A server that answers each request with a redirect to `target`."""

    def __init__(self) -> None:
        self.target = ""
        self.requests: list[web.Request] = []
        self._loopback = Loopback()

    @property
    def url(self) -> str:
        return self._loopback.url

    async def async_start(self) -> None:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        await self._loopback.async_start(app)

    async def async_stop(self) -> None:
        await self._loopback.async_stop()

    async def _answer(self, request: web.Request) -> web.Response:
        self.requests.append(request)
        return web.Response(status=307, headers={"Location": self.target})


@pytest.fixture
async def redirector(socket_enabled: None) -> AsyncGenerator[Redirector]:
    server = Redirector()
    await server.async_start()
    yield server
    await server.async_stop()


@pytest.fixture
async def stranger(socket_enabled: None) -> AsyncGenerator[Redirector]:
    """Serve another host, which must get no request."""
    server = Redirector()
    await server.async_start()
    yield server
    assert server.requests == []
    await server.async_stop()


async def test_a_guide_follows_redirects_in_its_own_network(
    hass: HomeAssistant, redirector: Redirector, guide_source: GuideSource
) -> None:
    guide_source.show(on_air("bbc1.uk", "News"))
    redirector.target = guide_source.url
    guide = make_guide(hass, f"{redirector.url}/guide.xml")

    assert await guide.async_refresh() == 1


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "http://[::1", "ftp://127.0.0.1/", "/again"]
)
async def test_a_guide_refuses_other_redirects(
    hass: HomeAssistant, redirector: Redirector, target: str
) -> None:
    redirector.target = target

    with pytest.raises(GuideError, match="it redirects"):
        await make_guide(hass, f"{redirector.url}/guide.xml").async_refresh()


@pytest.mark.parametrize(
    ("host", "is_public"),
    [
        ("8.8.8.8", True),
        ("127.0.0.1", False),
        ("localhost", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("[::1]", False),
        ("[::ffff:127.0.0.1]", False),
        ("[fd00::1]", False),
    ],
)
async def test_a_guide_in_the_internet_does_not_lead_into_the_home(
    socket_enabled: None, host: str, *, is_public: bool
) -> None:
    assert await async_is_public(URL(f"http://{host}/guide.xml")) is is_public


async def test_the_words_of_a_weather_request_go_to_no_other_server(
    hass: HomeAssistant, redirector: Redirector, stranger: Redirector
) -> None:
    redirector.target = stranger.url
    weather = PlaceWeather(
        async_get_clientsession(hass),
        hass.config.units,
        forecast_url=redirector.url,
        geocoding_url=redirector.url,
    )

    with pytest.raises(ExternalError, match="cannot be reached"):
        await weather.async_places("Bremen", "en")


async def test_the_key_of_an_embedding_server_goes_to_no_other_server(
    hass: HomeAssistant, redirector: Redirector, stranger: Redirector
) -> None:
    redirector.target = f"{stranger.url}/v1/embeddings"
    settings = {"base_url": f"{redirector.url}/v1", "model": "bge-m3", "api_key": "secret"}
    embedder = await async_server_embedder(hass, settings)

    with pytest.raises(ModelError) as caught:
        await embedder.async_embed(["Anna likes jazz"])

    assert caught.value.kind is ModelErrorKind.WRONG_ADDRESS
    assert len(redirector.requests) == 1
