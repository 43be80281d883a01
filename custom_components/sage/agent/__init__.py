"""The agent loop (Algorithm 1 of the SAGE paper): decisions, formats, limits, record of a run."""

from .decision import FINISH, About, Call, Claim, ClaimResult, Decision, Finish, FinishKind
from .formats import DecisionFormat, make_format
from .loop import Agent
from .port import (
    Delta,
    End,
    Ending,
    EndKind,
    Exchange,
    FiredRoutine,
    Progress,
    Question,
    RunEnded,
    Utterance,
    Wanted,
)
from .record import ActIntended, SecondReplied, Stopped, Streamed, Wasted
from .reply_reader import read_reply
from .run import AgentSettings, Limits, Run, new_run
from .small_talk import async_asks_about_person, async_is_small_talk, talk_questions
from .tool import (
    FinalResult,
    JointTool,
    async_ask_person,
    async_call_tools,
    error_result,
    final_answer,
    final_result,
    result_text,
    short_name,
    text_result,
)
