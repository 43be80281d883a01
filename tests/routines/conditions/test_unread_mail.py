"""`count_unread_mail`: the owner's own mail only."""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.core import HomeAssistant

from benchmark.mail_servers import HOST, Dovecot, letter
from custom_components.sage.external import External
from custom_components.sage.external.mail_account import MailAccount, MailServer, Security
from custom_components.sage.external.mailbox import Mailbox
from custom_components.sage.home.home import Home
from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.routines.conditions import ConditionFunctions
from custom_components.sage.routines.evaluation import Snapshot
from custom_components.sage.routines.sandbox.contract import FunctionCall, FunctionResult
from tests.mail_fixtures import account

QUESTION = FunctionCall(function="count_unread_mail", arguments=())


@pytest.fixture
async def external(imap: Dovecot) -> AsyncGenerator[External]:
    """Mail of Anna and of nobody else."""
    mail = Mailbox([account(imap.port)], lambda: None)
    external = External(mail={"anna": mail})
    yield external
    await external.async_close()


@pytest.fixture
def functions(hass: HomeAssistant, home: Home, external: External) -> ConditionFunctions:
    return ConditionFunctions(hass, home, external)


async def count(functions: ConditionFunctions, person: Person) -> FunctionResult:
    return await functions.async_answer(person, {}, QUESTION, Snapshot())


async def test_the_owner_is_told_the_number(imap: Dovecot, functions: ConditionFunctions):
    anna = Person(user_id="anna", name="Anna")
    imap.put("anna", letter("Tom <tom@example.com>", "Lunch", "At one?"))
    imap.put("anna", letter("Tom <tom@example.com>", "Read", "Before."), flags="S")

    assert (await count(functions, anna)).value == 1


@pytest.mark.parametrize("person", [Person(user_id="ben", name="Ben"), HOUSEHOLD])
async def test_nobody_else_is(functions: ConditionFunctions, person: Person):
    told = await count(functions, person)

    assert told.value is None
    assert "no mail account" in told.error


async def test_without_the_server_it_is_unknown(
    hass: HomeAssistant, home: Home, external: External, unused_tcp_port: int
):
    (address,) = external.mail["anna"].addresses
    away = MailServer(host=HOST, port=unused_tcp_port, security=Security.NONE)
    changed = MailAccount(
        user_id="anna",
        address=address,
        user_name="anna",
        password="x",
        imap=away,
        smtp=away,
        keeps_sent=True,
    )
    mail = Mailbox([changed], lambda: None)
    functions = ConditionFunctions(hass, home, External(mail={"anna": mail}))

    assert (await count(functions, Person(user_id="anna", name="Anna"))).is_unknown


async def test_without_mail_there_is_no_such_function(hass: HomeAssistant, home: Home):
    functions = ConditionFunctions(hass, home)

    assert "count_unread_mail" not in {each.name for each in functions.functions}
