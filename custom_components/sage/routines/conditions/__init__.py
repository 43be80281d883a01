"""The functions that condition code may call (DESIGN 8)."""
