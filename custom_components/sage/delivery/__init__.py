"""Deliver the messages of routines to people.

A message goes to the person's companion apps, else to the voice satellite at which the person
asked for the routine, else into a notification in Home Assistant. Everybody sees a notification,
so it only says that there is a message if the message may contain untrusted text, such as a mail.
"""

from .deliverer import AnswerDeliverer
from .routine_questions import (
    OpenQuestion,
    RoutineQuestions,
    async_answer,
    questions_for,
    questions_of,
)
