"""Clients of language models (DESIGN 6): requests, retries, errors, and the probe of a server."""
