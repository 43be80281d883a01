"""Delivers messages of routines to people, and asks their questions."""

from .deliverer import AnswerDeliverer
from .routine_questions import (
    OpenQuestion,
    async_answer,
    async_ask_owner,
    questions_for,
    questions_of,
)
