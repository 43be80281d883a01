"""Clients of language models (DESIGN 6): requests, replies and errors."""
