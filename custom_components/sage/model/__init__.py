"""Clients of language models and embedding servers: requests, replies, errors, usage counters."""

from .ai_task_model import AITaskModel, Structure
from .embedding_server import ServerEmbedder
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
    RetryPolicy,
    ToolCall,
    ToolSpec,
    Usage,
    object_schema,
)
from .lenient_json import (
    ARGUMENT_NAMES,
    first_object,
    fitted,
    fitted_arguments,
    read_json,
    squashed,
)
from .model_errors import async_failure_of
from .openai_model import OpenAIModel, async_create_client
from .usage_counters import MOST_DAYS, CountedModel, usage_of
