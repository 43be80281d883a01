"""The command pipeline (DESIGN 5): validate, authorize, send, observe, undo."""
