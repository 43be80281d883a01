"""Crash-safe SQLite files, the base of SAGE's stores for memories, routines, photos and others."""
