"""Texts: word search, fixed sentences for people, and protection against untrusted text."""
