"""Which language model the demo uses."""

from collections.abc import Mapping
from dataclasses import dataclass

from .model_front import ModelFront

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-4.1-mini"


class ModelChoiceError(Exception):
    """The environment names a model by halves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServer:
    """An OpenAI-compatible server and the model to use there."""

    base_url: str
    model: str
    api_key: str | None = None
    front: ModelFront | None = None
    """Forwards to the small model on this machine; None for another server."""


def from_environment(environment: Mapping[str, str]) -> ModelServer | None:
    """Return the server that the environment names, None for the model that runs here."""
    url, model = environment.get("SAGE_BASE_URL"), environment.get("SAGE_MODEL")
    openai_key = environment.get("OPENAI_API_KEY")
    if url:
        if not model:
            raise ModelChoiceError("SAGE_BASE_URL is set, but not SAGE_MODEL: which model there?")
        key = environment.get("SAGE_API_KEY") or None
        return ModelServer(base_url=url, model=model, api_key=key)
    if openai_key:
        return ModelServer(base_url=OPENAI_URL, model=model or OPENAI_MODEL, api_key=openai_key)
    return None
