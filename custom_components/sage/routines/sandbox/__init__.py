"""The sandbox for condition code: the code reaches only the condition functions."""
