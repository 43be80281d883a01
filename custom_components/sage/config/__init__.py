"""Configuration: the flows, and the creation of SAGE's parts from entry data and options."""
