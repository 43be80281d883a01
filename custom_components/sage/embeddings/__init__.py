"""Embedding models for texts and images: the built-in model, and models on a server."""
