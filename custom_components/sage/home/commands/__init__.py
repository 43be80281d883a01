"""The one pipeline for commands (DESIGN 5): validate, authorize, send, observe, undo."""
