"""The backend for Home Assistant entities (DESIGN 5)."""
