"""Texts: the sentences of SAGE, and marks around untrusted text."""
