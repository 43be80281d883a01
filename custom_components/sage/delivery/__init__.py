"""Delivery of routines' answers and questions to people."""
