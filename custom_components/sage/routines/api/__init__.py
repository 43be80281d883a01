"""Routines in Home Assistant: their entities, events, repair issues and actions."""
