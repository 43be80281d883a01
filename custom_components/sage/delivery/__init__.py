"""Delivery of answers and questions of routines to people.

A routine is a stored command that runs at a time or when a condition becomes true. Each execution
of a routine is a firing.
"""
