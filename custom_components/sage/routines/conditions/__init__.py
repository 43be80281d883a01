"""Functions such as `get_state` that the Python code of a routine's condition may call."""
