"""Set SAGE up in a running Home Assistant as a user does: through its forms."""

import asyncio
from collections.abc import Mapping
from typing import Any

from .client import Client
from .model_choice import ModelServer

FLOW = "/api/config/config_entries/flow"
OPTIONS_FLOW = "/api/config/config_entries/options/flow"
SUBENTRY_FLOW = "/api/config/config_entries/subentries/flow"
RECONFIGURED = "reconfigure_successful"
PATIENCE = 60.0  # seconds until the conversation entity is there
LOADING = {"base": "timeout"}  # what the form says while a server loads its model
ATTEMPTS = 8  # of half a minute each
NO_VOICE: Mapping[str, str | None] = dict.fromkeys(
    ("stt_engine", "stt_language", "tts_engine", "tts_language", "tts_voice")
)
"""The fields of an assistant that neither hears nor speaks."""


class SetUpError(Exception):
    """A form of SAGE was not accepted; the message says what it said."""


async def set_up_sage(owner: Client, server: ModelServer) -> None:
    """Fill in SAGE's forms with this model; in a kept home those for another model."""
    known = {
        "base_url": server.base_url,
        "url": server.base_url,
        "api_key": server.api_key,
        "model": server.model,
        "chat_model": server.model,
    }
    entries = await owner.call("config_entries/get", domain="sage")
    again = {"entry_id": entries[0]["entry_id"]} if entries else {}
    step = await owner.post(FLOW, {"handler": "sage"} | again)
    while not (step["type"] == "create_entry" or step.get("reason") == RECONFIGURED):
        path = f"{FLOW}/{step['flow_id']}"
        if step["type"] == "progress":
            await asyncio.sleep(0.2)
            step = await owner.get(path)
        elif step.get("errors"):
            raise SetUpError(await complaint_of(owner, step))
        else:
            step = await owner.post(path, _answer(step, known))


async def use_photo_server(owner: Client, url: str, model: str | None) -> None:
    """Have the models server at `url` compare photos, as a user does in SAGE's options.

    `model` is its name at the server; None means the default of the form.

    Raises SetUpError if SAGE cannot use the server.
    """
    step = await owner.post(OPTIONS_FLOW, {"handler": await sage_entry(owner)})
    path = f"{OPTIONS_FLOW}/{step['flow_id']}"
    step = await owner.post(path, {"next_step_id": "photo_server"})
    answer = _answer(step, {"base_url": url, "model": model})
    for _ in range(ATTEMPTS):
        step = await owner.post(path, answer)
        if step.get("errors") != LOADING:
            break
    if step["type"] != "create_entry":
        raise SetUpError(await complaint_of(owner, step, "options"))


async def leave_all_to_the_model(owner: Client) -> None:
    """Have the model decide about plain commands, too, as a user does in SAGE's options."""
    entry = await sage_entry(owner)
    step = await owner.post(OPTIONS_FLOW, {"handler": entry})
    path = f"{OPTIONS_FLOW}/{step['flow_id']}"
    await owner.post(path, {"next_step_id": "household"})
    await owner.post(path, {"plain_requests": False, "fall_back": True})
    async with asyncio.timeout(PATIENCE):
        # SAGE is loaded again.
        while (await owner.call("config_entries/get", domain="sage"))[0]["state"] != "loaded":  # noqa: ASYNC110
            await asyncio.sleep(0.2)


async def sage_entry(owner: Client) -> str:
    """Return the id of SAGE's config entry."""
    (entry,) = await owner.call("config_entries/get", domain="sage")
    return str(entry["entry_id"])


async def sage_entity(owner: Client) -> str:
    """Return the entity id of SAGE's conversation agent, as soon as it exists."""
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                for row in await owner.call("config/entity_registry/list"):
                    entity_id = str(row["entity_id"])
                    if row["platform"] == "sage" and entity_id.startswith("conversation."):
                        return entity_id
                await asyncio.sleep(0.2)
    except TimeoutError:
        (entry,) = await owner.call("config_entries/get", domain="sage")
        why = f"{entry['state']} {entry['reason'] or ''}".strip()
        raise SetUpError(f"SAGE has no conversation entity; its set-up is: {why}") from None


async def preferred_pipeline(
    owner: Client, agent: str, language: str, voice: Mapping[str, str | None] = NO_VOICE
) -> str:
    """Prefer a pipeline of this agent, made if need be; return its id.

    `voice`: its fields for speech.
    """
    known = await owner.call("assist_pipeline/pipeline/list")
    wanted = {"name": _name(language), "language": language, "conversation_engine": agent, **voice}
    pipeline = next((one for one in known["pipelines"] if wanted.items() <= one.items()), None)
    pipeline = pipeline or await owner.call(
        "assist_pipeline/pipeline/create",
        **wanted,
        conversation_language=language,
        prefer_local_intents=False,
        wake_word_entity=None,
        wake_word_id=None,
    )
    await owner.call("assist_pipeline/pipeline/set_preferred", pipeline_id=pipeline["id"])
    return str(pipeline["id"])


def _name(language: str) -> str:
    return "SAGE" if language == "en" else f"SAGE ({language})"


async def complaint_of(owner: Client, step: dict[str, Any], category: str = "config") -> str:
    """Return what a form says is wrong, in the words that a user reads."""
    words = await owner.call(
        "frontend/get_translations",
        language="en",
        category=category,
        integration=["sage"],
        config_flow=True,
    )
    codes = step["errors"].values()
    texts = [
        words["resources"].get(f"component.sage.{category}.error.{code}", code) for code in codes
    ]
    return f"SAGE's form '{step['step_id']}' says: {' '.join(texts)}"


def _answer(step: dict[str, Any], known: dict[str, str | None]) -> dict[str, Any]:
    """Return what to put into the fields of a form, by their names."""
    if step["type"] == "menu":
        return {"next_step_id": step["menu_options"][0]}
    if step["type"] != "form":
        raise SetUpError(f"SAGE's set-up ended with: {step.get('reason', step['type'])}")
    answer: dict[str, Any] = {}
    for field in step["data_schema"] or ():
        name = field["name"]
        if known.get(name) is not None:
            answer[name] = known[name]
        elif field.get("type") == "expandable":
            answer[name] = _answer(step | {"data_schema": field["schema"]}, known)
        elif "default" in field:
            answer[name] = field["default"]
        elif field.get("required"):
            raise SetUpError(f"SAGE's form '{step['step_id']}' asks for '{name}': unknown here.")
    return answer
