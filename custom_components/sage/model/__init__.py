"""Clients of language models: requests, replies and errors."""
