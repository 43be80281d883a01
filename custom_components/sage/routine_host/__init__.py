"""Runs the routines of the household in Home Assistant: set-up, firing, repair, putting back."""
