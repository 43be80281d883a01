"""Routines in Home Assistant: entities, events, repair issues, actions."""
