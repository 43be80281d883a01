"""Config flows, and functions that create SAGE's objects from the config entry."""

from .agents import (
    agent_connection,
    async_agents,
    decision_format,
    entity_key,
    second_connection,
    second_id,
)
from .assistants import (
    async_create_fix_flow,
    async_use_sage,
    async_watch_assistants,
    open_assistants,
)
from .connection import Connection
from .embedders import async_make_speakers
from .external_setup import async_make_external, refusal_issue
from .looking import async_offer_looking
from .memory_setup import (
    async_make_embedder,
    async_update_profile,
    async_work_at_night,
    make_memory,
)
from .model_flow import SageConfigFlow
from .options_flow import owned_by, with_owned
from .photo_setup import PHOTO_SERVICES, async_load_photos, async_make_photos, photo_of
from .source_flows import OTHER_PROVIDER, async_add_mail
