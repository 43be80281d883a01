"""The page in the sidebar and the dashboard card, and their websocket commands.

The websocket commands run with the permissions of the signed-in user; each view of the page has a
file with its commands, that of routines in `routines/api`. `sage/action` calls SAGE's service
actions.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import probatio
from homeassistant.components.frontend import (
    DATA_EXTRA_MODULE_URL,
    DATA_PANELS,
    add_extra_js_url,
    async_remove_panel,
    remove_extra_js_url,
)
from homeassistant.components.http.server import StaticPathConfig
from homeassistant.components.panel_custom import async_register_panel
from homeassistant.components.websocket_api import async_register_command
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.const import (
    ERR_HOME_ASSISTANT_ERROR,
    ERR_INVALID_FORMAT,
    ERR_NOT_FOUND,
    ERR_UNAUTHORIZED,
)
from homeassistant.components.websocket_api.decorators import async_response, websocket_command
from homeassistant.components.websocket_api.messages import BASE_COMMAND_MESSAGE_SCHEMA
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, ServiceCall, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from ..routines.api import ROUTINE_COMMANDS, async_answer_routine
from ..run import Prefixes, SageAction, async_serving
from .accounts_api import ACCOUNT_COMMANDS
from .activity_api import ACTIVITY_COMMANDS, watch_commands
from .devices_api import DEVICE_COMMANDS
from .memory_api import MEMORY_COMMANDS
from .models_api import MODEL_COMMANDS
from .start_api import START_COMMANDS
from .voice_api import VOICE_COMMANDS

_PAGE: Final = Path(__file__).with_name("sage_panel.js")
_CARD: Final = Path(__file__).with_name("sage_card.js")
_FOLDER: Final = "/sage_static/"
_FRONTEND: Final = "frontend"
_SERVED: Final[HassKey[set[str]]] = HassKey("sage_static")
"""The URL paths of panel and card that were served since the start of Home Assistant."""

_TITLE: Final = "SAGE"
_ICON: Final = "mdi:home-heart"

type Actions = Mapping[str, SageAction]

_VIEW_COMMANDS: Final[Actions] = {
    **ACTIVITY_COMMANDS,
    **MEMORY_COMMANDS,
    **ROUTINE_COMMANDS,
    **DEVICE_COMMANDS,
    **MODEL_COMMANDS,
    **START_COMMANDS,
    **VOICE_COMMANDS,
    **ACCOUNT_COMMANDS,
}

_ACTION: Final = "action"
_SCHEMA: Final = BASE_COMMAND_MESSAGE_SCHEMA.extend(
    {
        probatio.Required("type"): str,
        probatio.Optional("action"): str,
        # Accept any value: Home Assistant logs values that do not match the schema.
        probatio.Optional("data", default=dict): object,
    }
)


async def async_add_page(hass: HomeAssistant) -> None:
    """Register the panel and the card.

    Do nothing if they are registered already, or if Home Assistant's frontend is not loaded.
    """
    if _FRONTEND not in hass.config.components or DOMAIN in hass.data[DATA_PANELS]:
        return
    await async_register_panel(
        hass,
        frontend_url_path=DOMAIN,
        webcomponent_name="sage-panel",
        sidebar_title=_TITLE,
        sidebar_icon=_ICON,
        module_url=await _async_serve(hass, _PAGE),
    )
    add_extra_js_url(hass, await _async_serve(hass, _CARD))


async def _async_serve(hass: HomeAssistant, file: Path) -> str:
    """Serve a file and return its URL path, which contains a hash of the content for caching."""
    content = await hass.async_add_executor_job(file.read_bytes)
    address = f"{_FOLDER}{hashlib.sha256(content).hexdigest()[:16]}.js"
    served = hass.data.setdefault(_SERVED, set())
    if address not in served:
        # Home Assistant cannot remove the path, so it is still there if SAGE was removed before.
        served.add(address)
        await hass.http.async_register_static_paths(
            [StaticPathConfig(address, str(file), cache_headers=True)]
        )
    return address


@callback
def async_remove_page(hass: HomeAssistant) -> None:
    """Remove the panel and the card."""
    if _FRONTEND not in hass.config.components:
        return
    async_remove_panel(hass, DOMAIN, warn_if_unknown=False)
    for address in hass.data[DATA_EXTRA_MODULE_URL].urls:
        if address.startswith(_FOLDER):
            remove_extra_js_url(hass, address)


def async_register_websocket(hass: HomeAssistant, actions: Actions) -> None:
    """Register all websocket commands; `sage/action` can call the given `actions`.

    Unlike a normal action call, `sage/action` puts no data on the event bus, which administrators
    can read and the recorder stores. Its data may contain the PIN.
    """

    @async_response
    async def async_call(
        hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
    ) -> None:
        """Check permission and data, call the action as the user, and send its response."""
        name, commands = msg["type"].removeprefix(f"{DOMAIN}/"), _VIEW_COMMANDS
        if name == _ACTION:
            name, commands = msg.get("action", ""), actions
        if (action := commands.get(name)) is None:
            connection.send_error(msg["id"], ERR_NOT_FOUND, "There is no such action.")
            return
        if action.needs_admin and not connection.user.is_admin:
            connection.send_error(msg["id"], ERR_UNAUTHORIZED, "Unauthorized")
            return
        try:
            data = probatio.Schema(dict(action.fields))(msg["data"])
            context = connection.context(msg)
            call = ServiceCall(hass, DOMAIN, name, data, context, return_response=True)
            response = await async_serving(action.handle)(call)
        except probatio.Invalid as err:
            connection.send_error(msg["id"], ERR_INVALID_FORMAT, str(err))
        except HomeAssistantError as err:
            # Home Assistant would log the error, whose text may name the person's routine.
            connection.send_error(
                msg["id"],
                ERR_HOME_ASSISTANT_ERROR,
                str(err),
                translation_key=err.translation_key,
                translation_domain=err.translation_domain,
                translation_placeholders=err.translation_placeholders,
            )
        else:
            connection.send_result(msg["id"], response)

    for name in (_ACTION, *_VIEW_COMMANDS):
        async_register_command(hass, f"{DOMAIN}/{name}", async_call, _SCHEMA)
    for command in (async_answer_routine, watch_commands, _prefixes):
        async_register_command(hass, command)


@websocket_command({probatio.Required("type"): "sage/prefixes"})
@callback
def _prefixes(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Send the progress of filling the model servers' prompt caches, as one item for each agent.

    Agents without this feature are left out.
    """
    prefixes: list[Prefixes] = []
    for entry in hass.config_entries.async_entries(
        DOMAIN, include_ignore=False, include_disabled=False
    ):
        if entry.state is not ConfigEntryState.LOADED:
            prefixes.append(Prefixes())
            continue
        runtime = entry.runtime_data
        prefixes += [
            runtime.prefixes.get(agent_id, Prefixes())
            for agent_id, agent in runtime.agents.items()
            if agent.warmed_model is not None
        ]
    connection.send_result(msg["id"], {"prefixes": [asdict(each) for each in prefixes]})
