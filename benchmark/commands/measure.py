"""Saying the sentences of the cases to the methods, in one home."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from homeassistant.config_entries import ConfigSubentryData
from homeassistant.helpers.httpx_client import get_async_client
from homeassistant.util import slugify

from custom_components.sage.config.agents import offered_ai_tasks
from custom_components.sage.config.probe import async_probe, async_probe_ai_task
from custom_components.sage.config.verdict import Probe
from custom_components.sage.const import FORMAT_CONSTRAINED
from custom_components.sage.model.ai_task_model import Structure
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client
from custom_components.sage.people.person import KnownBy, Person

from ..overhead_home import async_add_sage, config_entry
from ..overhead_meter import Meter, Span
from .case import Case, Turn, changed, entities, misheard, unmet
from .home import CommandsHome
from .methods import (
    AI_TASK,
    ASSIST,
    PAPER_FLOW,
    SAGE,
    AssistMethod,
    Heard,
    Ledger,
    Method,
    SageMethod,
)
from .methods import Sentence as Said
from .report import Progress
from .results import Result, ResultFile, SeriesKey
from .scripted import ScriptedModel
from .shown import Names, names_of

SCRIPTED_MODEL: Final = "scripted"
_CONTEXT: Final = 16_384
"""Tokens of the context window that Ollama is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """An OpenAI-compatible server and its model."""

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    script: ScriptedModel | None = None
    """What decides there, if that is scripted: it is prepared for each sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is measured in each home."""

    methods: Sequence[str]
    formats: Sequence[str]
    """Empty: the one that the set-up of SAGE finds."""

    cases: Sequence[Case]
    server: Server

    @property
    def agents(self) -> list[tuple[str, str]]:
        """The methods that are agents of SAGE, each with a decision format."""
        return [
            (name, decides)
            for name in self.methods
            if name != ASSIST
            for decides in ((FORMAT_CONSTRAINED,) if name == AI_TASK else self.formats)
        ]

    def key(self, series: SeriesKey, case: Case) -> tuple[Any, ...]:
        """Return the key of a result."""
        return *series, self.server.model, case.id, tuple(turn.said for turn in case.turns)

    def known(self, home: str, file: ResultFile) -> list[Result] | None:
        """Return the results in the file; None if one is missing or cannot be parsed."""
        if not self.formats and {SAGE, PAPER_FLOW} & {*self.methods}:
            return None
        series = [(home, *agent) for agent in self.agents]
        series += [(home, ASSIST, AssistMethod.format)] * (ASSIST in self.methods)
        found = [file.get(self.key(each, case)) for each in series for case in self.cases]
        known = [result for result in found if result is not None]
        return known if len(known) == len(found) else None


async def async_measure(
    home: CommandsHome, plan: Plan, file: ResultFile, progress: Progress
) -> list[Result]:
    """Return the results of all sentences, those of `file` included.

    Raises ModelError if the server answers nothing at all.
    """
    measurement = _Measurement(home, plan)
    meter = Meter()
    with meter.installed():
        methods = await measurement.async_methods(meter)
        meter.watch_http(get_async_client(home.hass))
        results: list[Result] = []
        for method in methods:
            for case in plan.cases:
                known = file.get(plan.key((home.name, method.name, method.format), case))
                result = known or await measurement.async_case(method, case, meter)
                if known is None:
                    file.add(result)
                results.append(result)
                progress.step(result, is_new=known is None)
    return results


class _Measurement:
    """The methods in one home."""

    def __init__(self, home: CommandsHome, plan: Plan) -> None:
        self._home = home
        self._plan = plan
        self._ledger = Ledger()
        self._names: Names = {}

    async def async_methods(self, meter: Meter) -> list[Method]:
        """Set up what is measured."""
        hass, server = self._home.hass, self._plan.server
        client = await async_create_client(hass, server.base_url, server.api_key or None)
        formats: Sequence[str] = self._plan.formats
        connection: dict[str, Any] = {"model": server.model}
        if server.api_key:
            connection["api_key"] = server.api_key
        if server.script is not None:
            connection["formats"] = ["native", "constrained", "react"]
        elif not formats:
            probe = await async_probe(client, server.model)
            formats = probe.formats[:1]
            connection |= {
                "formats": list(probe.formats),
                "confuses_later": probe.misjudges_timing,
            }
        more: dict[str, dict[str, Any]] = {PAPER_FLOW: {"paper_flow": True}}
        if AI_TASK in self._plan.methods:
            more[AI_TASK] = await self._async_ai_task(meter)
        agents = {
            f"{name} {decides}": {"decision_format": decides, **more.get(name, {})}
            for name, decides in replace(self._plan, formats=formats).agents
        }
        methods: list[Method] = []
        if agents:
            methods += await self._async_agents(agents, connection)
        if ASSIST in self._plan.methods:
            model = OpenAIModel(client, server.model)
            self._ledger.watch(model)
            methods.append(AssistMethod(hass, model))
        return methods

    async def _async_ai_task(self, meter: Meter) -> dict[str, Any]:
        """Set up Ollama's integration at the server; return the settings of its agent."""
        hass, server = self._home.hass, self._plan.server
        data = {"url": server.base_url.removesuffix("/v1")}
        if server.api_key:
            data["api_key"] = server.api_key
        task = ConfigSubentryData(
            subentry_type="ai_task_data",
            title="Ollama",
            unique_id=None,
            data={"model": server.model, "num_ctx": _CONTEXT},
        )
        entry = config_entry("ollama", data, [task], version=(3, 3))
        await hass.config_entries.async_add(entry)
        await hass.async_block_till_done()
        (key,) = offered_ai_tasks(hass)
        probe = Probe(formats=(FORMAT_CONSTRAINED,), structure=Structure.OPEN)
        if server.script is None:
            probe = await async_probe_ai_task(hass, key, "Ollama")
        meter.watch_http(entry.runtime_data._client)  # noqa: SLF001
        return {
            "ai_task": key,
            "model": "Ollama",
            "formats": list(probe.formats),
            "confuses_later": probe.misjudges_timing,
            **({"structure": probe.structure.value} if probe.structure else {}),
        }

    async def _async_agents(
        self, agents: dict[str, dict[str, Any]], connection: dict[str, Any]
    ) -> list[Method]:
        home = self._home
        entry = await async_add_sage(home.hass, self._plan.server.base_url, agents, **connection)
        home.entry = entry
        runtime = entry.runtime_data
        for agent in runtime.agents.values():
            self._ledger.watch(agent.settings.model)
        # A case must not find in the memory what another one said.
        owner = Person(user_id=home.user_id, name="Owner", known_by=KnownBy.SIGN_IN)
        await runtime.memory.async_do(owner, lambda file: file.change_settings(enabled=False))
        self._names = names_of(await runtime.home.of(owner).async_listing())
        return [
            SageMethod(
                home.hass,
                name=name.split(" ")[0],
                decision_format=str(agent["decision_format"]),
                agent_id=f"conversation.{slugify(name)}",
            )
            for name, agent in agents.items()
        ]

    async def async_case(self, method: Method, case: Case, meter: Meter) -> Result:
        """Say the sentences of a case; return what became of the last one."""
        home, script = self._home, self._plan.server.script
        await home.async_reset(case)
        conversation_id: str | None = None
        wrong: list[str] = []
        for turn in case.turns:
            if script is not None:
                script.begin(turn, home.members, self._names)
            said = Said(
                text=turn.said,
                language=case.language,
                user_id=home.user_id,
                device_id=home.device_in(case.room),
                conversation_id=conversation_id,
            )
            before = home.snapshot()
            self._ledger.clear()
            heard, span = await meter.async_span(method.async_say(said))
            conversation_id = heard.conversation_id
            await home.async_rest()
            wrong += self._wrong(turn, heard)
        allowed = {*entities([goal.of for goal in turn.goals], home.members), *turn.also}
        unwanted = [each for each in changed(before, home.snapshot()) if each not in allowed]
        return self._result(method, case, heard, span, wrong, unwanted)

    def _wrong(self, turn: Turn, heard: Heard) -> list[str]:
        home = self._home
        return [
            *unmet(turn.goals, home.snapshot(), home.members),
            *misheard(turn, heard.answer, is_question=heard.is_question),
        ]

    def _result(
        self,
        method: Method,
        case: Case,
        heard: Heard,
        span: Span,
        wrong: Sequence[str],
        unwanted: Sequence[str],
    ) -> Result:
        usage = self._ledger.usage
        ours = method.name in (SAGE, PAPER_FLOW, AI_TASK)
        held = span.longest(ours=ours)
        return Result(
            case=case.id,
            kind=case.kind,
            home=self._home.name,
            method=method.name,
            format=method.format,
            model=self._plan.server.model,
            said=tuple(turn.said for turn in case.turns),
            answer=heard.answer,
            wrong=tuple(wrong),
            unwanted=tuple(unwanted),
            calls=self._ledger.calls,
            new_tokens=usage.prompt_tokens - usage.cached_tokens,
            cached_tokens=usage.cached_tokens,
            output_tokens=usage.completion_tokens,
            own_ms=round(span.own * 1000, 1),
            held_ms=round(held.cpu * 1000, 1) if held is not None else 0.0,
            first_word_s=round(heard.first, 3),
            last_word_s=round(heard.last, 3),
            failure=" ".join("; ".join(self._ledger.failures).split()),
        )
