"""Routines: stored commands that run at a time, or when a condition becomes true."""
