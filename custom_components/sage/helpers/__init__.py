"""Helpers for the event loop, for callbacks and for requests to model servers."""

from .server_requests import (
    FailedAttemptError,
    RetryPolicy,
    async_try,
    causes,
    error_body,
    error_text,
    failure_of,
    jpeg_uri,
    kind_of_status,
)
from .slices import Breaks, Work, async_in_slices, in_one_go
from .weak_callbacks import weakly
