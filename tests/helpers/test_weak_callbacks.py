"""A weak callback calls its owner while that lives, and keeps it alive no longer."""

import weakref

from homeassistant.core import HassJob, HassJobType, callback

from custom_components.sage.helpers.weak_callbacks import weakly


class Owner:
    """Has methods of both kinds."""

    @callback
    def double(self, number: int) -> int:
        return number * 2

    async def async_double(self, number: int) -> int:
        return number * 2


async def test_it_calls_while_the_owner_lives() -> None:
    owner = Owner()
    call, async_call = weakly(owner.double), weakly(owner.async_double)
    assert (call(2), await async_call(3)) == (4, 6)
    kinds = [HassJob(each).job_type for each in (call, async_call)]
    assert kinds == [HassJobType.Callback, HassJobType.Coroutinefunction]


async def test_it_does_nothing_afterwards() -> None:
    owner = Owner()
    call, async_call, gone = weakly(owner.double), weakly(owner.async_double), weakref.ref(owner)
    del owner
    assert gone() is None
    assert (call(2), await async_call(3)) == (None, None)
