"""The tools that write conditions and that create, list and change routines."""
