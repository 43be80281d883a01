"""Slices: long work lets others have their turn."""

import asyncio
from time import perf_counter

from custom_components.sage.helpers.slices import (
    SLICE_SECONDS,
    Breaks,
    Work,
    async_in_slices,
    in_one_go,
)


def busy(pieces: int) -> Work[int]:
    """Work of two thirds of a slice a piece."""
    for _ in range(pieces):
        until = perf_counter() + SLICE_SECONDS * 2 / 3
        while perf_counter() < until:
            pass
        yield
    return pieces


async def other(turns: list[None]) -> None:
    while True:
        turns.append(None)
        await asyncio.sleep(0)


async def test_others_get_their_turn_while_work_is_done():
    turns: list[None] = []
    task = asyncio.ensure_future(other(turns))
    assert await async_in_slices(busy(8)) == 8
    task.cancel()
    # Two pieces fill a slice: at least every second piece is followed by a turn.
    assert len(turns) >= 4


def test_work_can_be_done_in_one_go():
    assert in_one_go(busy(1)) == 1


async def test_breaks_are_taken_when_a_slice_is_used_up():
    turns: list[None] = []
    task = asyncio.ensure_future(other(turns))
    breaks = Breaks()
    for _ in range(4):
        in_one_go(busy(2))
        await breaks.async_take()
    task.cancel()
    assert len(turns) >= 4
