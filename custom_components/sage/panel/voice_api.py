"""Websocket commands for the voice of the signed-in user: enrol, list and delete its vectors."""

from typing import Any, Final

import probatio
from homeassistant.core import ServiceResponse

from ..model import TOO_LITTLE_SPEECH, ModelError
from ..run import MOST_AUDIO, ActionRequest, Heard, SageAction, Speakers, failure, refusal

_MOST_BASE64: Final = (MOST_AUDIO + 1024) * 4 // 3  # length of a recording with its header


def _speakers(request: ActionRequest) -> tuple[Speakers, str]:
    """Return the voices and the caller's user id; raises ServiceValidationError without a user."""
    if request.person.user_id is None:
        raise refusal("unknown_user")
    return request.entry.runtime_data.speakers, request.person.user_id


async def _async_overview(request: ActionRequest) -> ServiceResponse:
    """Return the caller's vectors, and sentences at satellites that the caller may claim."""
    speakers, user_id = _speakers(request)

    def shown(heard: Heard) -> dict[str, Any]:
        state = request.hass.states.get(heard.satellite_id or "")
        name = state.name if state is not None else None
        return {"id": heard.id, "at": heard.at.isoformat(), "satellite": name}

    vectors = await request.memory.async_do(request.person, lambda file: file.voices.as_json())
    return {
        "enabled": speakers.encoder is not None,
        "threshold": speakers.threshold,
        "vectors": vectors,
        "sentences": [shown(heard) for heard in speakers.claimable(user_id)],
    }


async def _async_enroll(request: ActionRequest) -> ServiceResponse:
    """Store the voice in a recording; return its similarity to the caller's earlier vectors."""
    speakers, user_id = _speakers(request)
    if speakers.encoder is None:
        raise refusal("voice_off")
    try:
        heard = await speakers.async_recorded(request.data["audio"])
    except ModelError as err:
        if TOO_LITTLE_SPEECH in str(err):
            raise refusal("voice_too_short") from err
        raise failure("voice_failed", error=str(err)) from err
    return {"similarity": await speakers.async_enroll(user_id, heard)}


async def _async_claim(request: ActionRequest) -> ServiceResponse:
    """Store the voice of a sentence at a satellite as the caller's."""
    speakers, user_id = _speakers(request)
    for heard in speakers.claimable(user_id):
        if heard.id == request.data["id"]:
            return {"similarity": await speakers.async_enroll(user_id, heard)}
    raise refusal("voice_no_sentence")


async def _async_delete(request: ActionRequest) -> ServiceResponse:
    """Delete one vector of the caller, or all."""
    number = request.data.get("id")
    await request.memory.async_do(request.person, lambda file: file.voices.delete(number))
    return None


VOICE_COMMANDS: Final = {
    "voice/overview": SageAction(handle=_async_overview),
    "voice/enroll": SageAction(
        handle=_async_enroll,
        fields={
            probatio.Required("audio"): probatio.All(str, probatio.Length(max=_MOST_BASE64)),
        },
    ),
    "voice/claim": SageAction(handle=_async_claim, fields={probatio.Required("id"): str}),
    "voice/delete": SageAction(
        handle=_async_delete,
        fields={probatio.Optional("id"): probatio.All(int, probatio.Range(min=1, max=2**63 - 1))},
    ),
}
