"""Convert error responses of the SmartThings cloud into CloudError.

Observed response bodies:

- JSON with `requestId` and `error`, where `error` has `code`, `message` and nested `details`
- HTML for status 401
- an empty body for status 404
"""

import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

from .raw import CloudError, CloudErrorKind

_KINDS: Final[Mapping[int, CloudErrorKind]] = {
    400: CloudErrorKind.MALFORMED,
    401: CloudErrorKind.SIGN_IN,
    402: CloudErrorKind.PLAN,
    403: CloudErrorKind.FORBIDDEN,
    404: CloudErrorKind.NOT_FOUND,
    409: CloudErrorKind.DEVICE_STATE,
    422: CloudErrorKind.MALFORMED,
    429: CloudErrorKind.RATE_LIMIT,
}

_KINDS_BY_CODE: Final[Mapping[str, CloudErrorKind]] = {
    "TooManyRequestError": CloudErrorKind.RATE_LIMIT,
    "LimitError": CloudErrorKind.RATE_LIMIT,
    "PaymentRequiredError": CloudErrorKind.PLAN,
    "ForbiddenError": CloudErrorKind.FORBIDDEN,
    "NotFoundError": CloudErrorKind.NOT_FOUND,
    "ConflictError": CloudErrorKind.DEVICE_STATE,
    "UnexpectedError": CloudErrorKind.SERVER,
}
"""`code` of an error -> kind, for bodies whose HTTP status is unknown."""

_RETRY: Final = re.compile(r"retry in (\d+) ?millis", re.IGNORECASE)
_LONGEST_MESSAGE: Final = 400
_DEEPEST: Final = 5
_EPOCH: Final = 1_000_000_000
"""A larger number in a header is a Unix timestamp, not a duration in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    """One error in a response body: the main error or an item of its `details`."""

    code: str
    target: str
    message: str

    def __str__(self) -> str:
        """Return `target: message`; only the message if it already contains the target."""
        text = self.message or self.code
        return f"{self.target}: {text}" if self.target and self.target not in text else text


def error_of_response(status: int, text: str, headers: Mapping[str, str]) -> CloudError:
    """Return the CloudError for an HTTP response with an error status."""
    kind = CloudErrorKind.SERVER if status >= 500 else _KINDS.get(status, CloudErrorKind.UNEXPECTED)
    retry_after = None
    if kind in {CloudErrorKind.RATE_LIMIT, CloudErrorKind.SERVER}:
        retry_after = _retry_after(text, headers, limited=kind is CloudErrorKind.RATE_LIMIT)
    return _error(kind, _body(text), status=status, retry_after=retry_after)


def error_of_body(body: object) -> CloudError:
    """Return the CloudError for an error body (parsed JSON) whose HTTP status is unknown."""
    problems = list(_problems(body))
    codes = [problem.code for problem in problems]
    kind = next((_KINDS_BY_CODE[code] for code in codes if code in _KINDS_BY_CODE), None)
    retry_after = _retry_in(" ".join(problem.message for problem in problems))
    if kind is None:
        limited = retry_after is not None
        kind = CloudErrorKind.RATE_LIMIT if limited else CloudErrorKind.UNEXPECTED
    return _error(kind, body, status=None, retry_after=retry_after)


def _error(
    kind: CloudErrorKind, body: object, *, status: int | None, retry_after: float | None
) -> CloudError:
    problems = list(_problems(body))
    message = "; ".join(dict.fromkeys(str(problem) for problem in problems if str(problem)))
    request_id = body.get("requestId") if isinstance(body, Mapping) else None
    return CloudError(
        kind,
        message[:_LONGEST_MESSAGE] or _phrase(status),
        status=status,
        code=next((problem.code for problem in problems if problem.code), None),
        target=next((problem.target for problem in problems if problem.target), None),
        request_id=request_id if isinstance(request_id, str) else None,
        retry_after=retry_after,
    )


def _problems(body: object) -> Iterator[_Problem]:
    """Yield the main error of a body, then its nested details level by level."""
    level = [body.get("error")] if isinstance(body, Mapping) else []
    for _ in range(_DEEPEST):
        within: list[object] = []
        for each in level:
            if not isinstance(each, Mapping):
                continue
            yield _Problem(
                code=_text(each.get("code")),
                target=_text(each.get("target")),
                message=_text(each.get("message")),
            )
            details = each.get("details")
            within += details if isinstance(details, list) else []
        level = within


def _body(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _phrase(status: int | None) -> str:
    try:
        return HTTPStatus(status or 0).phrase
    except ValueError:
        return "the answer gives no reason"


def _retry_after(text: str, headers: Mapping[str, str], *, limited: bool) -> float | None:
    """Return the seconds to wait, or None if unknown.

    The sources in order of accuracy: the error message, the header `Retry-After`, and for rate
    limits the header `X-RateLimit-Reset`.
    """
    delay = _retry_in(text)
    if delay is None:
        delay = _seconds(headers.get("Retry-After"))
    if delay is None and limited:
        delay = _seconds(headers.get("X-RateLimit-Reset"))
    return delay


def _retry_in(text: str) -> float | None:
    found = _RETRY.search(text)
    return int(found[1]) / 1000 if found else None


def _seconds(header: str | None) -> float | None:
    """Return the seconds to wait from a header with a duration, Unix timestamp or HTTP date.

    None if the header is missing or unreadable.
    """
    if header is None:
        return None
    try:
        delay = float(header)
    except ValueError:
        try:
            delay = parsedate_to_datetime(header).timestamp()
        except ValueError:
            return None
    if not 0 <= delay < float("inf"):
        return None
    return max(0.0, delay - time.time()) if delay > _EPOCH else delay
