"""Algorithm 1 of the paper: the loop, its decisions, the model, the trace."""
