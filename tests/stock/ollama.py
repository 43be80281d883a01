"""The Ollama integration of a stock Home Assistant, with an AI Task entity."""

from scripts.demonstration.client import Client

FLOW = "/api/config/config_entries/flow"
SUBENTRY_FLOW = "/api/config/config_entries/subentries/flow"


async def sets_ollama_up(owner: Client, url: str) -> None:
    """Fill in the forms of Ollama's integration."""
    step = await owner.post(FLOW, {"handler": "ollama"})
    step = await owner.post(f"{FLOW}/{step['flow_id']}", {"url": url})
    assert step["type"] == "create_entry", step
    handler = [step["result"]["entry_id"], "ai_task_data"]
    step = await owner.post(SUBENTRY_FLOW, {"handler": handler})
    step = await owner.post(
        f"{SUBENTRY_FLOW}/{step['flow_id']}", {"name": "Ollama AI Task", "model": "test-model"}
    )
    assert step["type"] == "create_entry", step
