"""Runs: the processing of one command of one person, from the utterance to the final answer."""

from .answering import Answering
from .run_registry import RUN_CHANGED, RunRegistry
from .runtime import Prefixes, SageAgent, SageConfigEntry, SageRuntime
from .service_caller import (
    ActionRequest,
    SageAction,
    async_register_actions,
    async_serving,
    failure,
    refusal,
)
from .speakers import BUZZ, ENCODER, MOST_AUDIO, Heard, Speakers
from .warm_prefix import PrefixWarmer
