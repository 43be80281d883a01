"""Texts: word search, SAGE's sentences, and marks around untrusted text."""
