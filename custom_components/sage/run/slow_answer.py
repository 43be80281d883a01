"""Say that an answer takes long, after 15 seconds without a word, and let the person stop it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from homeassistant.core import HassJob, HomeAssistant
from homeassistant.helpers.event import async_call_later

from ..agent.run import Delta, Run
from ..people.confirmation_words import Said, confirmation_words
from ..people.identity import async_languages
from ..people.person import Person
from ..text.speech import async_load_sentences
from .run_registry import RunRegistry

SILENT_SECONDS: Final = 15.0


@contextmanager
def announced_wait(hass: HomeAssistant, runs: RunRegistry, run: Run) -> Iterator[None]:
    """While the block waits for the run: say once that it takes long, before the first words.

    If the block is cancelled after that, the person does not want to wait, and the run ends too.
    """
    is_open, stopped = True, ""

    async def say(_: datetime) -> None:
        nonlocal stopped
        sentences = await async_load_sentences(hass, run.utterance.language)
        stopped = sentences.say("stopped_by_person")
        if is_open and not run.streamed:
            run.is_slow = True
            # Not a part of the answer. It is long enough for Assist to begin to speak.
            run.port.emit(Delta(f"{sentences.say('takes_long')} "))

    job = HassJob(say, "SAGE says that an answer takes long", cancel_on_shutdown=True)
    cancel_timer = async_call_later(hass, SILENT_SECONDS, job)
    try:
        yield
    except asyncio.CancelledError:
        if run.is_slow:
            runs.end([run], stopped)
        raise
    finally:
        is_open = run.is_slow = False
        cancel_timer()


async def async_stop_slow(
    hass: HomeAssistant, runs: RunRegistry, person: Person, speaker: str, text: str, language: str
) -> str | None:
    """End the commands that have told `speaker` that they take long, if `text` means no or stop.

    Return the answer, or None if `text` stops nothing. A satellite cancels its turn before it
    listens, so `text` may also come just after the end of the command.
    """
    if not runs.slow(speaker) and runs.stopped(speaker) is None:
        return None
    words = await hass.async_add_executor_job(confirmation_words)
    languages = (language, *await async_languages(hass, person))
    if words.meaning(text, *languages) is not Said.NO:
        return None
    said = (await async_load_sentences(hass, language)).say("stopped_by_person")
    await asyncio.gather(*runs.end(runs.slow(speaker), said), return_exceptions=True)
    return runs.stopped(speaker) or said
