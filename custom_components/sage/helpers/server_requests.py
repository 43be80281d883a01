"""Retries and kinds of errors, e.g. `unreachable`, for servers with OpenAI's API."""

import asyncio
import base64
import email.utils
import logging
import re
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx
import openai

_LOGGER = logging.getLogger(__name__)

_KINDS: Final[Mapping[int, str]] = {
    401: "key_refused",
    402: "no_credit",
    403: "key_refused",
    404: "wrong_address",
    405: "wrong_address",
    408: "timeout",
    409: "server_error",
    425: "server_error",
    429: "rate_limited",
}
_FOR_A_MOMENT: Final = frozenset({408, 409, 425, 429})
_OF_THE_SERVER: Final = frozenset({401, 413, 429})
"""Client errors whose status says more than the web page that a proxy adds to it."""

_NO_CREDIT: Final = re.compile(
    r"insufficient[_ ](quota|credit|balance|fund)|exceeded_current_quota_error|credit balance"
    r"|(no|any|all available|out of) credits?\b|billing_(hard_limit|not_active)|payment required"
    r"|(budget|key limit|spending limit)[^.]{0,20}\b(exceeded|reached)",
    re.IGNORECASE,
)
_WRONG_ADDRESS: Final = re.compile(
    r"http request (was sent )?to an? https|unexpected endpoint", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Number of attempts and timeouts of a request."""

    attempts: int = 3
    request_seconds: float = 120.0
    """Timeout of one attempt, from sending the request to the end of the reply."""

    connect_seconds: float = 5.0
    total_seconds: float = 180.0
    """Timeout of all attempts, including the waits in between."""

    first_wait: float = 0.5
    """Seconds before the second attempt; doubled before each further attempt."""

    longest_wait: float = 30.0
    """Maximum wait in seconds; if the next wait would be longer, there is no further attempt."""


class FailedAttemptError(Exception):
    """Raised when one attempt of a request fails; `kind` is the kind of error, e.g. `timeout`."""

    def __init__(
        self, kind: str, detail: str = "", *, again: bool = False, wait: float | None = None
    ) -> None:
        """Create the error.

        `again`: whether another attempt may succeed. `wait`: seconds until the next attempt, if the
        server demands a wait.
        """
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.again = again
        self.wait = wait


def jpeg_uri(jpeg: bytes) -> str:
    """Return a JPEG image as a data URI."""
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode('ascii')}"


async def async_try[T](policy: RetryPolicy, attempt: Callable[[], Awaitable[T]]) -> T:
    """Call `attempt` with the retries and timeouts of `policy`; return its result.

    `attempt` must raise FailedAttemptError for a failure. Raises FailedAttemptError if no attempt
    succeeds in time.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + policy.total_seconds
    tried = 0
    while True:
        tried += 1
        try:
            async with asyncio.timeout_at(min(clock() + policy.request_seconds, deadline)):
                return await attempt()
        except TimeoutError:
            # No retry, since a second attempt would not be faster.
            raise FailedAttemptError("timeout", "no whole reply in time") from None
        except FailedAttemptError as err:
            wait = _wait(policy, err, tried)
            if wait is None or clock() + wait >= deadline:
                raise
            _LOGGER.debug("Attempt %d: %s (%s); again in %.1f s", tried, err.kind, err, wait)
        await asyncio.sleep(wait)


def _wait(policy: RetryPolicy, err: FailedAttemptError, tried: int) -> float | None:
    """Return the seconds until the next attempt, or None for no further attempt.

    `tried` is the number of attempts so far.
    """
    if not err.again or tried >= policy.attempts:
        return None
    wait: float = policy.first_wait * 2 ** (tried - 1)
    if err.wait is not None:
        wait = max(err.wait, 0.0)
    return wait if wait <= policy.longest_wait else None


def error_body(err: openai.APIStatusError) -> Mapping[str, Any]:
    """Return the error object in the reply of a server, or {} if there is none."""
    return err.body if isinstance(err.body, Mapping) else {}


def error_text(err: openai.APIStatusError) -> str:
    """Return the message, code and type of a server's error as one text."""
    body = error_body(err)
    parts = (err.message, body.get("message"), body.get("code"), body.get("type"))
    return " ".join(str(part) for part in parts if part)


def kind_of_status(status: int, text: str = "") -> tuple[str, bool]:
    """Return the kind of error of an HTTP status, and whether another attempt may succeed.

    `text`: the server's message. Example: 429 gives `("rate_limited", True)`.
    """
    if status < 400 or _WRONG_ADDRESS.search(text):
        # A redirect is not followed, since it would send the API key to another address.
        return "wrong_address", False
    if status >= 500:
        return "server_error", status != 501
    if _NO_CREDIT.search(text):
        return "no_credit", False
    return _KINDS.get(status, "refused"), status in _FOR_A_MOMENT


def failure_of(
    err: openai.OpenAIError | httpx.HTTPError, detail: Callable[[BaseException], str]
) -> FailedAttemptError:
    """Convert an exception of the OpenAI client or of its HTTP client.

    `detail` returns the text for the log, from an exception with an HTTP status or from the cause
    of a missing reply.
    """
    if isinstance(err, openai.APIStatusError):
        return _status_failure(err, detail(err))
    cause = err.__cause__ or err if isinstance(err, openai.APIConnectionError) else err
    return _connection_failure(cause, detail(cause))


def _status_failure(err: openai.APIStatusError, detail: str) -> FailedAttemptError:
    """Return the exception for a reply with an HTTP error status."""
    status = err.status_code
    kind, again = kind_of_status(status, error_text(err))
    text = err.response.text.lstrip()
    is_json = bool(error_body(err)) or text.startswith(("{", "[", '"'))
    # Otherwise, a proxy answers, whose model server is down or has another address.
    if not is_json and (status in (502, 503, 504) or status >= 520):
        kind = "unreachable"
    elif not is_json and (
        status == 403
        or (text.startswith("<") and 400 <= status < 500 and status not in _OF_THE_SERVER)
    ):
        kind, again = "wrong_address", False
    wait = _retry_after(err.response.headers)
    return FailedAttemptError(kind, detail, again=again, wait=wait)


def _connection_failure(cause: BaseException, detail: str) -> FailedAttemptError:
    """Return the exception for a missing or incomplete reply.

    `cause` is the exception of the HTTP client.
    """
    tls = next((each for each in causes(cause) if isinstance(each, ssl.SSLError)), None)
    if tls is not None:
        is_certificate = "CERTIFICATE" in (tls.reason or "")
        return FailedAttemptError("certificate" if is_certificate else "wrong_address", detail)
    match cause:
        case httpx.ConnectError():
            return FailedAttemptError("unreachable", detail, again=True)
        case httpx.ConnectTimeout() | httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
            return FailedAttemptError("unreachable", detail)
        case httpx.TimeoutException():
            return FailedAttemptError("timeout", detail)
        case httpx.DecodingError():
            # The reply is too large or its compression is unknown: a second attempt fails, too.
            return FailedAttemptError("broken_reply", detail)
    return FailedAttemptError("broken_reply", detail, again=True)


def causes(err: BaseException) -> Iterator[BaseException]:
    """Yield an exception and its chain of causes."""
    cause: BaseException | None = err
    seen: set[int] = set()
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds in the Retry-After header (RFC 9110, section 10.2.3), or None."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return float(value)
    except ValueError:
        pass
    try:
        return email.utils.parsedate_to_datetime(value).timestamp() - time.time()
    except ValueError:
        return None
