"""The functions that condition code, the Python code of a routine's condition, may call."""
