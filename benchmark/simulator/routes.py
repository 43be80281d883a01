"""What the cloud answers to each kind of request."""

import json
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from . import errors
from .cloud_account import CloudAccount
from .errors import Detail, malformed
from .request_log import RequestKind as Kind
from .validation import validate

type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

BODY = web.RequestKey("body", object)
"""The JSON of a request, None when there is none."""

_NEXT_PAGE = "https://api.smartthings.com/devices?max={size}&page={page}"
_TOKEN_LIFETIME = 24 * 3600


class Routes:
    """The routes of one cloud."""

    def __init__(self, cloud: CloudAccount) -> None:
        self._cloud = cloud
        self._home = cloud.home
        rows = list(self._rows())
        self.table = [web.route(method, path, handler) for method, path, _, handler in rows]
        self.kinds = {(method, path): kind for method, path, kind, _ in rows}
        """(method, path as in the table) -> kind of request."""

    def _rows(self) -> Iterator[tuple[str, str, Kind, Handler]]:
        device, capability = "/v1/devices/{device}", "/v1/capabilities/{capability}/{version}"
        yield "GET", "/v1/locations", Kind.LOCATIONS, self._locations
        yield "GET", "/v1/locations/{location}", Kind.LOCATIONS, self._location
        yield "GET", "/v1/locations/{location}/rooms", Kind.ROOMS, self._rooms
        yield "GET", "/v1/locations/{location}/rooms/{room}", Kind.ROOMS, self._room
        yield "GET", "/v1/devices", Kind.DEVICES, self._devices
        yield "GET", device, Kind.DEVICES, self._device
        yield "GET", f"{device}/status", Kind.STATUS, self._status
        yield "GET", f"{device}/health", Kind.HEALTH, self._health
        yield "POST", f"{device}/commands", Kind.COMMANDS, self._commands
        yield "GET", capability, Kind.DEFINITION, self._definition
        yield "GET", "/v1/scenes", Kind.SCENES, self._scenes
        yield "POST", "/v1/scenes/{scene}/execute", Kind.SCENE, self._scene
        for beginning in ("", "/v1/sse"):
            subscriptions = f"{beginning}/subscriptions"
            yield "POST", subscriptions, Kind.SUBSCRIPTION, self._subscribe
            yield "DELETE", subscriptions + "/{id}", Kind.UNSUBSCRIPTION, self._unsubscribe
        yield "GET", "/filters/{id}/activate", Kind.STREAM, self._stream
        yield "POST", "/oauth/token", Kind.TOKEN, self._token

    # Places.

    async def _locations(self, request: web.Request) -> web.StreamResponse:
        here = self._home.location
        item = {"locationId": here["locationId"], "name": here["name"]}
        return _items([item], links=None)

    async def _location(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["location"] != self._home.location["locationId"]:
            return errors.FORBIDDEN.response()
        return web.json_response(self._home.location)

    async def _rooms(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["location"] != self._home.location["locationId"]:
            return errors.FORBIDDEN.response()
        return _items(self._home.rooms, links=None)

    async def _room(self, request: web.Request) -> web.StreamResponse:
        for room in self._home.rooms:
            if room["roomId"] == request.match_info["room"]:
                return web.json_response(room)
        return errors.FORBIDDEN.response()

    # Devices.

    async def _devices(self, request: web.Request) -> web.StreamResponse:
        chosen = [
            device.description
            for device in self._home.devices.values()
            if _is_asked_for(device.description, request.query)
        ]
        size = int(request.query.get("max", self._cloud.page_size))
        size = min(size, self._cloud.page_size)
        page = int(request.query.get("page", 0))
        links = {}
        if (page + 1) * size < len(chosen):
            links["next"] = {"href": _NEXT_PAGE.format(size=size, page=page + 1)}
        if page:
            links["previous"] = {"href": _NEXT_PAGE.format(size=size, page=page - 1)}
        return _items(chosen[page * size : (page + 1) * size], links=links)

    async def _device(self, request: web.Request) -> web.StreamResponse:
        device = self._home.devices.get(request.match_info["device"])
        if device is None:
            return errors.FORBIDDEN.response()
        return web.json_response(device.description)

    async def _status(self, request: web.Request) -> web.StreamResponse:
        device = self._home.devices.get(request.match_info["device"])
        if device is None:
            return errors.FORBIDDEN.response()
        return web.json_response({"components": device.status})

    async def _health(self, request: web.Request) -> web.StreamResponse:
        device = self._home.devices.get(request.match_info["device"])
        if device is None:
            return errors.FORBIDDEN.response()
        body = {
            "deviceId": device.id,
            "state": "ONLINE" if device.online else "OFFLINE",
            "lastUpdatedDate": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        return web.json_response(body)

    async def _commands(self, request: web.Request) -> web.StreamResponse:
        device = self._home.devices.get(request.match_info["device"])
        if device is None:
            return errors.FORBIDDEN.response()
        looked_at = validate(request[BODY], device.description, self._cloud.definitions)
        if looked_at.details:
            return malformed(looked_at.details).response()
        refusal = self._cloud.perform(device.id, looked_at.commands)
        if refusal is not None:
            return refusal.response()
        status = self._cloud.result_status
        results = [{"id": str(uuid.uuid4()), "status": status} for _ in looked_at.commands]
        return web.json_response({"results": results})

    # Documentation.

    async def _definition(self, request: web.Request) -> web.StreamResponse:
        definition = self._cloud.definitions.get(request.match_info["capability"])
        if definition is None or request.match_info["version"] != str(definition["version"]):
            return errors.FORBIDDEN.response()
        return web.json_response(definition)

    # Scenes.

    async def _scenes(self, request: web.Request) -> web.StreamResponse:
        wanted = request.query.get("locationId")
        scenes = [
            {key: value for key, value in scene.items() if key != "actions"}
            for scene in self._home.scenes
            if wanted in {None, scene["locationId"]}
        ]
        return _items(scenes, links={"next": None, "previous": None})

    async def _scene(self, request: web.Request) -> web.StreamResponse:
        for scene in self._home.scenes:
            if scene["sceneId"] == request.match_info["scene"]:
                self._perform(scene)
                return web.json_response({"status": "success"})
        return errors.FORBIDDEN.response()

    def _perform(self, scene: Mapping[str, Any]) -> None:
        """Do what a scene says: rows of the device's id and its `commands`."""
        for action in scene.get("actions", ()):
            device = self._home.devices[action["deviceId"]]
            looked_at = validate(action, device.description, self._cloud.definitions)
            self._cloud.perform(device.id, looked_at.commands)

    # Events.

    async def _subscribe(self, request: web.Request) -> web.StreamResponse:
        body = request[BODY]
        if not isinstance(body, Mapping):
            target = "subscriptionFilters"
            wrong = Detail(code="NotNullError", target=target, message=f"{target} may not be null")
            return malformed([wrong]).response()
        filters = body.get("subscriptionFilters", [])
        subscription = self._cloud.stream.subscribe(body.get("name", ""), filters)
        if subscription is None:
            return errors.TOO_MANY_SUBSCRIPTIONS.response()
        return web.json_response(
            {
                "subscriptionId": subscription.id,
                "registrationUrl": str(
                    request.url.origin() / f"filters/{subscription.id}/activate"
                ),
                "name": subscription.name,
                "version": body.get("version"),
                "subscriptionFilters": filters,
            }
        )

    async def _unsubscribe(self, request: web.Request) -> web.StreamResponse:
        if self._cloud.stream.unsubscribe(request.match_info["id"]):
            return web.json_response({})
        return errors.NOT_FOUND.response()

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        subscription = self._cloud.stream.subscriptions.get(request.match_info["id"])
        if subscription is None:
            return errors.NOT_FOUND.response()
        return await self._cloud.stream.async_serve(request, subscription)

    # Login.

    async def _token(self, request: web.Request) -> web.StreamResponse:
        body = {
            "access_token": self._cloud.renew_token(),
            "refresh_token": str(uuid.uuid4()),
            "token_type": "bearer",
            "expires_in": _TOKEN_LIFETIME,
            "scope": "r:devices:* x:devices:* r:locations:* r:scenes:* x:scenes:* sse",
        }
        return web.json_response(body)


def _items(items: Iterable[Any], *, links: Mapping[str, Any] | None) -> web.Response:
    body = {"items": list(items), "_links": links}
    return web.Response(text=json.dumps(body), content_type="application/json")


def _is_asked_for(description: Mapping[str, Any], query: Mapping[str, str]) -> bool:
    """Return whether the query for devices includes this one."""
    capabilities = {
        capability["id"]
        for component in description["components"]
        for capability in component["capabilities"]
    }
    return (
        _has(query.get("deviceId"), {description["deviceId"]})
        and _has(query.get("locationId"), {description["locationId"]})
        and _has(query.get("capability"), capabilities)
    )


def _has(wanted: str | None, there: set[str]) -> bool:
    return not wanted or not there.isdisjoint(wanted.split(","))
