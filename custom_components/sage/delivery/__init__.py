"""Delivery of answers and questions of routines (stored commands) to people."""
