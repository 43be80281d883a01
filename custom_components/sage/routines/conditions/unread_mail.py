"""The function `count_unread_mail`, which the Python code of a routine's condition may call."""

from datetime import timedelta
from typing import Final

from homeassistant.util import dt as dt_util

from ...external import External
from ...external.external_error import ExternalError
from ..interfaces import CallArguments, FunctionCallError, NotNowError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult

_LIFETIME: Final = timedelta(minutes=2)
"""How long a count of messages is valid; this limits the requests to the mail server."""


class CountUnreadMail:
    """Implements `count_unread_mail` for condition code: how many unread messages a person has."""

    function = ConditionFunction(
        name="count_unread_mail",
        returns="int",
        description="How many unread messages are in the person's own inboxes.",
    )

    def __init__(self, external: External) -> None:
        """`external` provides the mail account of the owner of a condition."""
        self._external = external

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the number of unread messages in the inboxes of the condition's owner.

        Raises NotNowError if the mail server cannot be reached, FunctionCallError if the owner has
        no mail account.
        """
        mail = self._external.of(call.person).mail
        if mail is None:
            raise FunctionCallError("This person has no mail account in SAGE.")
        try:
            number = await mail.async_count_unread()
        except ExternalError as err:
            raise NotNowError from err
        # Return only a number, so that no untrusted text of a message reaches the model.
        return FunctionResult(value=number, fresh_until=dt_util.utcnow() + _LIFETIME)
