"""Errors of delivery and of open questions."""


class NoSuchWayError(Exception):
    """This way does not exist; somebody would have to set it up."""


class WayClosedError(Exception):
    """This way exists, but does not work at the moment."""


class NoSuchQuestionError(Exception):
    """There is no open question for this person."""
