"""The tools that write conditions and that create, list and change routines.

A routine is a stored command for a time or a condition.
"""
