"""The websocket API for SAGE's web page (DESIGN 3)."""
