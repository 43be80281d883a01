"""The models server over HTTP on loopback, with real models."""
