"""Delivery of answers and questions of routines (stored commands) to people.

A firing is one execution of a routine.
"""
