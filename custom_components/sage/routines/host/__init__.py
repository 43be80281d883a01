"""Connects routines with Home Assistant: setup, execution of actions, repair of condition code."""
