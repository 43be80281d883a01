"""Runs: the processing of one command of one person, from the utterance to the final answer."""

from .answering import Answering
from .fall_back import async_clear_model_error
from .run_registry import RunRegistry
from .runtime import Prefixes, SageAgent, SageConfigEntry, SageRuntime
from .service_caller import (
    ActionRequest,
    SageAction,
    async_register_actions,
    async_serving,
    failure,
    refusal,
)
from .warm_prefix import PrefixWarmer
