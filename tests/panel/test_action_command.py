"""The command `sage/action` calls an action for the signed-in user, unseen by others."""

from homeassistant.auth.models import User
from homeassistant.const import EVENT_CALL_SERVICE
from pytest_homeassistant_custom_component.common import async_capture_events

from tests.end_to_end.conftest import Sage
from tests.fake_model import model_server  # noqa: F401

from .conftest import Call


async def test_everybody_acts_on_their_own_memory(sage: Sage, call: Call, anna: User, admin: User):
    events = async_capture_events(sage.hass, EVENT_CALL_SERVICE)

    kept = await call(anna, "sage/action", action="remember", data={"text": "I like jazz"})
    own = await call(anna, "sage/action", action="list_memories")
    of_another = await call(admin, "sage/action", action="list_memories")

    assert kept["result"]["text"] == "I like jazz"
    assert [each["text"] for each in own["result"]["memories"]] == ["I like jazz"]
    assert of_another["result"]["memories"] == []
    assert events == []


async def test_an_error_says_how_to_fix_it(sage: Sage, call: Call, anna: User):
    unknown = await call(anna, "sage/action", action="reboot")
    wrong = await call(anna, "sage/action", action="remember", data={"words": "I like jazz"})
    no_object = await call(anna, "sage/action", action="remember", data=3)
    missing = await call(anna, "sage/action", action="correct_memory", data={"id": 7, "text": "x"})

    assert unknown["error"]["code"] == "not_found"
    assert wrong["error"]["code"] == no_object["error"]["code"] == "invalid_format"
    assert missing["error"]["translation_key"] == "unknown_memory"


async def test_only_administrators_act_for_others(sage: Sage, call: Call, anna: User, ben: User):
    refused = await call(
        ben, "sage/action", action="forget", data={"everything": True, "user": anna.id}
    )

    assert refused["error"]["translation_key"] == "not_admin"
