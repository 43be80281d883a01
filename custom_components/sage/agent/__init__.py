"""The agent loop (Algorithm 1 of the SAGE paper): decisions, model calls, budget, trace."""

from .budget import LimitReached, Limits
from .decision import (
    FINISH,
    About,
    Call,
    Claim,
    ClaimResult,
    DecisionError,
    Finish,
    FinishKind,
    claims_from,
)
from .formats import (
    ConstrainedFormat,
    DecisionFormat,
    Example,
    NativeFormat,
    Prompt,
    ReactFormat,
    constrained_schema,
    turns_of,
    without_examples,
)
from .loop import Agent, Loop, async_own_calls
from .port import Delta, End, EndKind, PersonSilentError, Progress, Question, Wanted
from .record import (
    ROOT,
    ActIntended,
    AskedConfirmation,
    Begun,
    Ended,
    Replied,
    Stopped,
    Streamed,
    own_calls,
    steps_of,
    total_usage,
    usage_dict,
)
from .reply_reader import ReplyContent, as_read, read_reply
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
    async_call_tools,
    error_result,
    final_result,
    result_text,
    short_name,
    text_result,
)
