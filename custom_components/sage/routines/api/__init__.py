"""Routines for people and automations: entities, issues, actions."""
