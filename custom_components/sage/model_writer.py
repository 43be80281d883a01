"""A language model as the writer that memory asks for (DESIGN 3: neither knows the other)."""

from .agent.language_model import ChatMessage, ModelError, ModelRequest
from .agent.run import AgentSettings
from .memory.writer import WriterError, Written


class ModelWriter:
    """Writes with the model of an agent (`memory.writer.TextWriter`)."""

    def __init__(self, settings: AgentSettings) -> None:
        """Use the model and the prompts of this agent."""
        self._settings = settings

    @property
    def model(self) -> str:
        """The name of the model that writes."""
        return self._settings.model.name

    def instructions(self, name: str) -> str:
        """Return the text `name` of the prompts."""
        return self._settings.prompts[name]

    async def async_write(self, instructions: str, given: str, *, max_tokens: int) -> Written:
        """Return what the model makes of what is given. Raises WriterError."""
        request = ModelRequest(
            messages=(
                ChatMessage(role="system", content=instructions),
                ChatMessage(role="user", content=given),
            ),
            max_tokens=max_tokens,
        )
        try:
            reply = await self._settings.model.async_complete(request)
        except ModelError as err:
            raise WriterError(f"the model gave no answer ({err.kind.value})") from err
        tokens = reply.usage.prompt_tokens + reply.usage.completion_tokens
        return Written(
            text=reply.text,
            tokens=tokens or (len(instructions) + len(given) + len(reply.text)) // 3,
        )
