"""The backend for Home Assistant entities."""
