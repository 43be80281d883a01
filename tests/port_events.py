"""Read the events of a run."""

from custom_components.sage.agent.port import Event, Port, Progress


async def events_of(port: Port) -> list[Event]:
    last = Progress("the last one")
    port.emit(last)
    events: list[Event] = []
    while (event := await port.async_next()) is not last:
        events.append(event)
    return events
