"""The command pipeline: validate, authorize, send, observe, undo."""
