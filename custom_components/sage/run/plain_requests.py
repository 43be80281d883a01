"""Plain commands and questions that need no model.

Home Assistant's own sentences, in all its languages, propose what an utterance means. It counts
only if it is exact and unambiguous, and means entities that the person may see. SAGE then executes
it like a command of the model: with the same permissions, risks, confirmations and evidence.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from homeassistant.components.conversation import HOME_ASSISTANT_AGENT
from homeassistant.components.conversation.agent_manager import async_get_agent
from homeassistant.exceptions import TemplateError
from homeassistant.helpers.template import Template, TemplateState

from ..agent import About, Claim, ClaimResult, Finish, FinishKind, Utterance
from ..home import (
    STATE,
    Command,
    HomeError,
    Outcome,
    OutcomeKind,
    describe_for_model,
    state_name,
)
from ..text import plain
from ..tools import Situation
from .plain_sentences import CLOCK, TEMPERATURE, PlainRequest, understand

_LONGEST: Final = 120  # maximum length of a plain request in characters
_OF_SENSOR: Final = {"open": "on", "closed": "off"}  # cover -> binary sensor
_REACHED: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY})


async def async_plain_request(situation: Situation, utterance: Utterance) -> PlainRequest | None:
    """Return what the utterance means, or None if that is not exact or not certain.

    After earlier turns, a request is not certain if it names no device and no place: it may mean
    the devices of these turns. None also for a sentence that the household has written itself.
    """
    if len(utterance.text) > _LONGEST or (loaded := await _async_loaded(situation)) is None:
        return None
    listing = await situation.home.async_listing()
    work = situation.hass.async_add_executor_job
    return await work(understand, utterance, loaded.intents, listing)


async def _async_loaded(situation: Situation) -> Any | None:
    agent = async_get_agent(situation.hass, HOME_ASSISTANT_AGENT)
    load = getattr(agent, "async_get_or_load_intents", None)
    return None if load is None else await load(situation.run.utterance.language)


async def async_answer_plainly(situation: Situation) -> Finish | None:
    """Execute or answer a plain request without the model; None if nothing was sent."""
    utterance = situation.run.utterance
    is_follow_up = bool(utterance.earlier and utterance.earlier[-1].speaker)
    if utterance.routine or utterance.extra_prompt or is_follow_up or utterance.is_untrusted:
        return None
    if (request := await async_plain_request(situation, utterance)) is None:
        return None
    if not request.command:
        return await _async_answer(situation, request)
    if (outcomes := await async_execute_plainly(situation, request)) is None:
        return None
    answer = situation.say_outcomes(outcomes)
    if not situation.sentences.is_own_language and {each.kind for each in outcomes} <= _REACHED:
        # Home Assistant has sentences in more languages.
        answer = await _async_response(situation, request, request.entity_ids) or answer
    is_done = all(each.is_done for each in outcomes)
    return Finish(
        kind=FinishKind.ACTED if is_done else FinishKind.COULD_NOT,
        answer=answer,
        about=frozenset({About.HOME}),
        tells_run=True,
    )


async def async_execute_plainly(
    situation: Situation, request: PlainRequest
) -> tuple[Outcome, ...] | None:
    """Execute a plain command; return the outcomes, or None if it is invalid and was not sent."""
    command, arguments = request.command, request.arguments
    shown = {"devices": list(request.entity_ids), "command": command, "arguments": arguments}
    record = situation.run.record
    with record.steps("tool", ("execute_command", shown)) as (step,):
        try:
            outcomes = await situation.home.async_execute(
                [
                    Command(device_id=each, component_id=each, name=command, arguments=arguments)
                    for each in request.entity_ids
                ]
            )
        except HomeError as err:
            record.end(str(err), step=step, is_error=True)
            return None
        record.end(describe_for_model(outcomes), step=step)
    return outcomes


# ------------------------------------------------------------ answers


async def _async_answer(situation: Situation, request: PlainRequest) -> Finish | None:
    if request.match.intent.name in CLOCK:
        answer = await _async_response(situation, request, ())
        return _answered(answer, About.OTHER) if answer else None
    is_temperature = request.match.intent.name == TEMPERATURE
    name = "current_temperature" if is_temperature and request.name else STATE
    record, shown = situation.run.record, {"devices": list(request.entity_ids)}
    with record.steps("tool", ("read_attributes", shown)) as (step,):
        try:
            readings = await situation.home.async_read(request.entity_ids, [name])
        except HomeError as err:
            record.end(str(err), step=step, is_error=True)
            return None
        # Text from outside is not spoken.
        facts = {each.component_id: each.fact(name) for each in readings if each.available}
        values = {
            part: each.value for part, each in facts.items() if each and not each.is_free_text
        }
        record.end(str(values), step=step)
    if values.keys() != {*request.entity_ids} or None in values.values():
        return None
    wanted = request.arguments.get(STATE)
    is_sensor = "binary_sensor." if wanted in _OF_SENSOR else "-"
    matched = [
        each
        for each, value in values.items()
        if wanted is None or value == (_OF_SENSOR[wanted] if each.startswith(is_sensor) else wanted)
    ]
    answer = await _async_response(situation, request, matched)
    if not answer:
        return None
    if is_temperature:
        device = readings[0].device_name
        answer = situation.sentences.say("seen_state", device=device, state=answer)
    return _answered(answer, About.HOME, Claim(devices=request.entity_ids, result=ClaimResult.READ))


def _answered(answer: str, about: About, *claims: Claim) -> Finish:
    return Finish(kind=FinishKind.ANSWERED, answer=answer, about=frozenset({about}), claims=claims)


async def _async_response(
    situation: Situation, request: PlainRequest, matched: Sequence[str]
) -> str:
    """Return Home Assistant's response or ""; `matched`: entities in the asked state."""
    hass, loaded, match = situation.hass, await _async_loaded(situation), request.match
    utterance = situation.run.utterance
    texts = loaded.intent_responses.get(match.intent.name, {}) if loaded else {}
    text = texts.get(match.response or "default")
    states = {each: hass.states.get(each) for each in request.entity_ids}
    shown = {each: TemplateState(hass, state) for each, state in states.items() if state}
    if not text or len(shown) < len(states):
        return ""
    others = [each for each in shown if each not in matched]
    state = next((shown[each] for each in (*matched, *others)), None)
    slots = {each.name: each.text_clean or each.value for each in match.entities_list}
    if slot := CLOCK.get(match.intent.name):
        now = utterance.now
        slots[slot] = now.time() if slot == "time" else now.date()
    known = {
        "slots": slots,
        "state": state,
        "query": {
            "matched": [shown[each] for each in matched],
            "unmatched": [shown[each] for each in others],
        },
    }
    try:
        said = str(Template(text, hass).async_render(known, parse_result=False))
    except TemplateError:
        return ""
    if state is not None and len(shown) == 1:
        # Some of Home Assistant's responses say `off` of a door that is closed.
        name = state_name(hass, state.entity_id, state.state, utterance.language).lower()
        said = re.sub(rf"\b{re.escape(state.state)}\b", name or state.state, said)
    return plain(" ".join(said.split()))
