"""Clients of language models: requests, replies, errors and usage counters."""
