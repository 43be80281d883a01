"""SAGE: a language-model agent for the home."""
