"""Runs condition code, the Python code of a routine's condition, isolated from Home Assistant."""
