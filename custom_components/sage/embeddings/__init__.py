"""Vectors of texts: built in, or from a server."""
