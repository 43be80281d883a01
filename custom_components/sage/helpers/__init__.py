"""Helpers for the event loop, for callbacks and for requests to model servers."""
