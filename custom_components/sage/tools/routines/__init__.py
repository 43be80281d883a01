"""The tools that write conditions and that create, list and change routines.

A routine is a stored command that runs at a time or when a condition becomes true.
"""
