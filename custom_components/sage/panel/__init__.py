"""The websocket API for SAGE's web page."""
