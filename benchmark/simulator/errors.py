"""The bodies in which the cloud says what was wrong."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aiohttp import web

MALFORMED = "The request is malformed."
DEVICE_STATE = "invalid device state"
UNSUCCESSFUL = "unsuccessful-http-call status=424"
SIGN_IN_PAGE = (
    "<html>\r\n<head><title>401 Authorization Required</title></head>\r\n<body>\r\n"
    "<center><h1>401 Authorization Required</h1></center>\r\n</body>\r\n</html>\r\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One thing that is wrong with a request."""

    code: str
    target: str
    message: str

    def as_json(self) -> dict[str, object]:
        """Return it as a body has it."""
        return {
            "code": self.code,
            "target": self.target,
            "message": self.message,
            "details": [],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An answer that is no success."""

    status: int
    code: str = ""
    message: str = ""
    details: tuple[Detail, ...] = ()
    is_html: bool = False
    is_empty: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> web.Response:
        """Return it as HTTP."""
        if self.is_html:
            return web.Response(
                status=self.status,
                text=SIGN_IN_PAGE,
                content_type="text/html",
                headers=dict(self.headers),
            )
        if self.is_empty:
            return web.Response(status=self.status, headers=dict(self.headers))
        body = {
            "requestId": str(uuid.uuid4().int)[:19],
            "error": {
                "code": self.code,
                "message": self.message,
                "details": [detail.as_json() for detail in self.details],
            },
        }
        return web.Response(
            status=self.status,
            text=json.dumps(body),
            content_type="application/json",
            headers=dict(self.headers),
        )


SIGN_IN = Refusal(status=401, is_html=True)
PLAN = Refusal(
    status=402,
    code="PaymentRequiredError",
    message="The monthly quota of API calls of this plan is used up.",
)
FORBIDDEN = Refusal(status=403, code="ForbiddenError", message="Forbidden")
NOT_FOUND = Refusal(status=404, is_empty=True)
INVALID_STATE = Refusal(status=409, code="ConflictError", message=DEVICE_STATE)
TOO_MANY_SUBSCRIPTIONS = Refusal(
    status=409,
    code="ConflictError",
    message="Unable to create SinkFilter, threshold limit of 2 reached",
)


def malformed(details: Sequence[Detail]) -> Refusal:
    """Return the refusal of an invalid request."""
    return Refusal(
        status=422,
        code="ConstraintViolationError",
        message=MALFORMED,
        details=tuple(details),
    )


def too_many_requests(
    *, millis: int, attempt: int, limit: int, headers: Mapping[str, str] | None = None
) -> Refusal:
    """Return the refusal of a request that came too soon after others."""
    text = f"attempt {attempt} limit {limit} - retry in {millis} millis"
    return Refusal(
        status=429,
        code="TooManyRequestError",
        message="Too Many Requests",
        details=(Detail(code="TooManyRequestError", target="", message=text),),
        headers=headers or {},
    )
