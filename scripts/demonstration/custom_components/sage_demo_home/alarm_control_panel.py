"""The burglar alarm."""

from homeassistant.components.alarm_control_panel import (
    AlarmControlPanelEntity,
    AlarmControlPanelState,
)

from .thing import DemoThing, platform_of


class DemoAlarm(DemoThing, AlarmControlPanelEntity):
    """An alarm that needs no code."""

    async def async_alarm_disarm(self, code: str | None = None) -> None:
        self.become(alarm_state=AlarmControlPanelState.DISARMED)

    async def async_alarm_arm_home(self, code: str | None = None) -> None:
        self.become(alarm_state=AlarmControlPanelState.ARMED_HOME)

    async def async_alarm_arm_away(self, code: str | None = None) -> None:
        self.become(alarm_state=AlarmControlPanelState.ARMED_AWAY)

    async def async_alarm_arm_night(self, code: str | None = None) -> None:
        self.become(alarm_state=AlarmControlPanelState.ARMED_NIGHT)


async_setup_entry = platform_of("alarm_control_panel", DemoAlarm)
