"""Decide what a person may see and do, and which commands need confirmation."""
