"""The functions that condition code may call."""
