"""Entities of Home Assistant: their documentation, current values, commands and undo."""
