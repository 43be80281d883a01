"""Runs: the processing of one command of one person, from the utterance to the final answer."""

from .answering import MAY_COME_BACK, Answering, Work
from .earlier_turns import async_earlier_turns, has_other_spoken_last
from .fall_back import async_clear_model_error
from .model_writer import ModelWriter
from .run_registry import RunRegistry, announced_wait, async_stop_slow
from .run_trace import summary_of
from .runtime import Prefixes, SageAgent, SageConfigEntry, SageRuntime
from .service_caller import (
    PROCESS_SERVICES,
    UNTRUSTED,
    ActionRequest,
    SageAction,
    async_register_actions,
    async_serving,
    failure,
    refusal,
)
from .warm_prefix import PrefixWarmer
