"""Algorithm 1 of the paper: the loop, its decisions, model calls, the trace."""
