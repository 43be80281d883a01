"""Connects routines with Home Assistant: setup, runs of firings, code repair, stored actions."""
