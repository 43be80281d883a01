"""Connects routines with Home Assistant: set-up, firing, repair, undo."""
