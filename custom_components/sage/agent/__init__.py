"""The agent loop (Algorithm 1 of the SAGE paper): decisions, formats, budget, record of a run."""

from .budget import LimitReached, Limits
from .decision import (
    FINISH,
    About,
    Call,
    Claim,
    ClaimResult,
    Decision,
    Finish,
    FinishKind,
)
from .formats import DecisionFormat, make_format
from .loop import Agent
from .port import Delta, End, EndKind, PersonSilentError, Progress, Question, Wanted
from .record import ActIntended, AskedConfirmation
from .reply_reader import read_reply
from .run import (
    ENTRY,
    AgentSettings,
    Exchange,
    FiredRoutine,
    NewRequestError,
    Run,
    Utterance,
    new_run,
)
from .tool import (
    JointTool,
    async_ask_person,
    async_call_tools,
    error_result,
    final_result,
    result_text,
    short_name,
    text_result,
)
