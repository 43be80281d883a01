"""The record of a run: what it proves, and what still holds at its end."""

from custom_components.sage.home.commands.evidence import Evidence
from custom_components.sage.home.commands.outcome_observation import describe_for_model
from custom_components.sage.home.home_types import (
    Attribute,
    Documentation,
    Outcome,
    OutcomeKind,
    Reading,
)

VERIFIED, FAILED, REFUSED = OutcomeKind.VERIFIED, OutcomeKind.FAILED, OutcomeKind.REFUSED


def outcome(kind, command="turn_on", component="light.x", state=None, **more) -> Outcome:
    return Outcome(
        kind=kind, device_id="x", device_name="X", component_id=component, capability="light",
        command=command, after={"state": state} if state else {}, **more,
    )  # fmt: skip


def recorded(*outcomes: Outcome) -> Evidence:
    evidence = Evidence()
    evidence.record_outcomes(outcomes)
    return evidence


def test_an_empty_record_proves_nothing():
    evidence = Evidence()
    assert not evidence.wrote
    assert not evidence.read
    assert evidence.outcomes == evidence.final_outcomes == ()


def test_a_refusal_counts_as_a_try():
    evidence = recorded(outcome(REFUSED))
    assert evidence.wrote


def test_a_try_that_was_mended_is_forgotten():
    evidence = recorded(outcome(FAILED), outcome(VERIFIED, state="on"))
    assert [each.kind for each in evidence.outcomes] == [FAILED, VERIFIED]
    assert [each.kind for each in evidence.final_outcomes] == [VERIFIED]


def test_less_than_was_asked_mends_nothing():
    evidence = recorded(outcome(FAILED, arguments={"brightness_pct": 5}), outcome(VERIFIED))
    assert [each.kind for each in evidence.final_outcomes] == [FAILED, VERIFIED]


def test_another_command_does_not_wash_a_refusal_away():
    evidence = recorded(
        outcome(REFUSED, "unlock", "lock.x"), outcome(VERIFIED, "lock", "lock.x", state="locked")
    )
    assert [each.kind for each in evidence.final_outcomes] == [REFUSED, VERIFIED]


def test_the_last_state_of_a_device_is_what_holds():
    evidence = recorded(
        outcome(VERIFIED, "turn_on", state="on"), outcome(VERIFIED, "turn_off", state="off")
    )
    assert [each.command for each in evidence.final_outcomes] == ["turn_off"]
    apart = recorded(
        outcome(VERIFIED, state="on"), outcome(VERIFIED, component="light.y", state="off")
    )
    assert len(apart.final_outcomes) == 2


def test_reads_are_recorded():
    evidence = Evidence()
    evidence.record_reads([])
    assert (evidence.read, evidence.wrote) == (False, False)
    evidence.record_reads(
        [Reading(device_id="x", device_name="X", component_id="sensor.x", values={"state": 3})]
    )
    evidence.record_documents(
        [
            Documentation(
                device_id="x", device_name="X", component_id="sensor.x", capability="sensor",
                attributes=(Attribute(name="state", type="number", value=3),),
            )
        ]
    )  # fmt: skip
    assert (evidence.read, evidence.wrote) == (True, False)
    assert evidence.reads == [{"device": "x", "component": "sensor.x", "values": {"state": 3}}] * 2


def test_an_answer_of_an_action_is_a_read():
    evidence = recorded(outcome(VERIFIED, "get_forecasts", is_read=True))
    assert (evidence.read, evidence.wrote) == (True, False)
    assert evidence.final_outcomes == ()


def test_other_tools_count():
    evidence = Evidence()
    evidence.record_foreign_read("weather")
    assert (evidence.read, evidence.wrote) == (True, False)
    evidence.record_foreign("mail__send")
    assert (evidence.read, evidence.wrote) == (True, True)
    assert evidence.foreign == ("mail__send",)


def test_an_outcome_as_json():
    made = outcome(VERIFIED, state="on", restore={"secret": "not shown"})
    assert made.as_dict()["kind"] == "verified"
    assert "restore" not in made.as_dict()
    assert "not shown" not in repr(made)


def test_codes_are_in_no_trace():
    made = outcome(VERIFIED, "alarm_disarm", arguments={"code": "1234", "mode": "x"})
    assert made.as_dict()["arguments"] == {"code": "***", "mode": "x"}
    assert "1234" not in describe_for_model([made])


def test_another_try_without_effect_does_not_hide_the_value_that_was_reached():
    reached, nothing = OutcomeKind.REACHED, OutcomeKind.NOT_CONFIRMED
    evidence = recorded(outcome(reached, state="on"), outcome(nothing, state="on"))
    assert [each.kind for each in evidence.final_outcomes] == [reached]
    evidence = recorded(outcome(VERIFIED, state="on"), outcome(nothing, state="on"))
    assert [each.kind for each in evidence.final_outcomes] == [nothing]
