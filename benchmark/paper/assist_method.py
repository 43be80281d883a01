"""Home Assistant's own Assist, with the client of SAGE for the model."""

from homeassistant.components.llm.const import DOMAIN as LLM
from homeassistant.setup import async_setup_component

from custom_components.sage.model.openai_model import OpenAIModel, async_create_client

from ..commands.methods import AssistMethod, Ledger, Sentence
from .home import PaperHome
from .methods import ALONE, MethodRecord, MethodSettings, Reply, Utterance


class PaperAssistMethod:
    """The Assist API and prompt of Home Assistant; no memory, photos or routines."""

    def __init__(self, settings: MethodSettings) -> None:
        """Use this model server."""
        self._settings = settings
        self._ledger = Ledger()
        self._assist: AssistMethod | None = None

    async def async_set_up(self, home: PaperHome) -> None:
        """Connect to the model."""
        settings, hass = self._settings, home.hass
        for component in ("intent", LLM):
            await async_setup_component(hass, component, {})
        client = await async_create_client(hass, settings.base_url, settings.api_key or None)
        model = OpenAIModel(client, settings.model)
        self._ledger.watch(model)
        self._assist = AssistMethod(hass, model, ALONE if home.case.answerer is None else None)

    async def async_say(self, home: PaperHome, said: Utterance) -> Reply:
        """Return the answer, after as many tool calls as the model wants."""
        assert self._assist is not None
        sentence = Sentence(
            text=said.text,
            language="en",
            user_id=home.user_ids[said.person],
            conversation_id=said.conversation_id,
        )
        heard = await self._assist.async_say(sentence)
        return Reply(
            text=heard.answer,
            is_question=heard.is_question,
            conversation_id=heard.conversation_id,
        )

    async def async_settle(self, home: PaperHome) -> None:
        """Wait for the home only."""
        await home.async_settle()

    async def async_close(self) -> None:
        """Do nothing."""

    def record(self) -> MethodRecord:
        """Return the cost."""
        usage = self._ledger.usage
        return MethodRecord(
            calls=self._ledger.calls,
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=usage.cached_tokens,
            completion_tokens=usage.completion_tokens,
            model_failures=tuple(self._ledger.failures),
        )
