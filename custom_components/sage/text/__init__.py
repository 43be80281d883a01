"""Texts: word search, the sentences of SAGE, and marks around untrusted text."""
