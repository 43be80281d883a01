"""What can go wrong on the way to a person."""


class NoSuchWayError(Exception):
    """There is no such way, and there will be none unless somebody sets it up."""


class WayClosedError(Exception):
    """The way is there, but now nothing comes through."""


class NoSuchQuestionError(Exception):
    """No question waits for an answer of this person."""
