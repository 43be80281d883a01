"""The tools for routines: conditions, set-up, and managing them."""
