"""Bringing answers and questions of routines to people (DESIGN 8)."""
