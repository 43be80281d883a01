"""Long computations in slices for the event loop, and weakly referenced callbacks."""

from .slices import Breaks, Work, async_in_slices, async_to_its_end, in_one_go
from .weak_callbacks import weakly
