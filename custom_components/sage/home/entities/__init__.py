"""The backend for the entities of Home Assistant (DESIGN 5)."""
