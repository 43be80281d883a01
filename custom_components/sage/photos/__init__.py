"""Photos of devices, and matching them to a description."""
