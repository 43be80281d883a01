"""Crash-safe SQLite files for memory and routines."""
