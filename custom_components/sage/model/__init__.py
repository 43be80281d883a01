"""Clients of language models: requests, replies, errors and usage counters."""

from .ai_task_model import AITaskModel, Structure
from .language_model import (
    COMPLETION_TOKENS,
    MOST_CALLS,
    ChatMessage,
    DeltaSink,
    LanguageModel,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolSpec,
    Usage,
    object_schema,
)
from .lenient_json import (
    ARGUMENT_NAMES,
    finish_so_far,
    first_object,
    fitted,
    fitted_arguments,
    read_json,
    squashed,
)
from .model_errors import async_failure_of
from .openai_model import OpenAIModel, async_create_client
from .usage_counters import MOST_DAYS, CountedModel, usage_of
