"""Crash-safe SQLite files, used by memory and routines."""
