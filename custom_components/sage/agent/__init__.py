"""The agent loop (Algorithm 1 of the SAGE paper): decisions, model calls, budget, trace."""
