"""Delivers messages of routines to people, and asks their questions."""

from .deliverer import AnswerDeliverer
from .routine_questions import (
    OpenQuestion,
    RoutineQuestions,
    async_answer,
    questions_for,
    questions_of,
)
