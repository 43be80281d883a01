"""Routines for people and automations: entities, issues, actions (DESIGN 8 and 10)."""
