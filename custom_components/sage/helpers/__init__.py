"""Long computations in slices for the event loop, weak callbacks, and repair issues."""

from .repair_issues import show_issue
from .slices import Breaks, Work, async_in_slices, async_to_its_end, in_one_go, is_cancelled
from .weak_callbacks import weakly
