"""Persistent commands: condition code, its sandbox, the scheduler, the store."""
