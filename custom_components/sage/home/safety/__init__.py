"""What may be used, and what needs a yes (DESIGN 5): exposure, permissions, risk."""
