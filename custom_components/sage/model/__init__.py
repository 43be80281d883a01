"""Clients of language models and embedding servers: requests, replies, errors, usage counters."""

from .ai_task_model import AITaskModel, Structure
from .embedding_server import TOO_LITTLE_SPEECH, ServerEmbedder
from .language_model import (
    ChatMessage,
    LanguageModel,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
    RetryPolicy,
    ToolSpec,
    Usage,
    object_schema,
)
from .lenient_json import first_object, fitted, read_json
from .model_errors import client_failure
from .openai_model import OpenAIModel, async_create_client
from .two_models import TwoModels
from .usage_counters import usage_of
