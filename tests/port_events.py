"""What a run has told its turn."""

from custom_components.sage.agent.run import Event, Port, Progress


async def events_of(port: Port) -> list[Event]:
    """Return the events since the last look, without waiting for more."""
    last = Progress("the last one")
    port.emit(last)
    events: list[Event] = []
    while (event := await port.async_next()) is not last:
        events.append(event)
    return events
