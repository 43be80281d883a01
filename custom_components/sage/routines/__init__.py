"""Routines: commands that SAGE stores, and executes at a time or when a condition becomes true."""
