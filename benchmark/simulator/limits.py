"""The cloud's limits of requests per minute."""

import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .errors import Refusal, too_many_requests
from .request_log import RecordedRequest, RequestKind

WINDOW = 60.0
_PER_DEVICE: Mapping[RequestKind, int] = {RequestKind.STATUS: 12, RequestKind.COMMANDS: 12}
_PER_ACCOUNT: Mapping[RequestKind, int] = {RequestKind.DEFINITION: 15, RequestKind.LOCATIONS: 100}


@dataclass(slots=True, kw_only=True)
class Limits:
    """Counts requests as the cloud does; off until `is_on` is set."""

    is_on: bool = False
    a_minute: dict[RequestKind, int] = field(
        default_factory=lambda: {**_PER_DEVICE, **_PER_ACCOUNT}
    )
    clock: Callable[[], float] = time.monotonic
    _seen: dict[tuple[RequestKind, str | None], deque[float]] = field(default_factory=dict)

    def check(self, request: RecordedRequest) -> tuple[dict[str, str], Refusal | None]:
        """Count a request; returns headers of the answer, and the refusal if it is too much."""
        limit = self.a_minute.get(request.kind)
        if not self.is_on or limit is None:
            return {}, None
        device = request.device_id if request.kind in _PER_DEVICE else None
        seen = self._seen.setdefault((request.kind, device), deque())
        now = self.clock()
        while seen and seen[0] <= now - WINDOW:
            seen.popleft()
        reset = seen[0] + WINDOW - now if seen else WINDOW
        if len(seen) >= limit:
            headers = _headers(limit, 0, reset)
            return headers, too_many_requests(
                millis=math.ceil(reset * 1000), attempt=limit + 1, limit=limit, headers=headers
            )
        seen.append(now)
        return _headers(limit, limit - len(seen), reset), None


def _headers(limit: int, remaining: int, reset: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": str(math.ceil(reset)),
    }
