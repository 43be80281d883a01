"""Small helpers for the event loop and for callbacks."""
