"""Exposure, permissions, risk classes, and the need for confirmation."""
