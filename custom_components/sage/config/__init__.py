"""Config flows, and functions that create SAGE's objects from the config entry."""
