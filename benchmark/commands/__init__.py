"""Sixty everyday sentences, on the demo home and on one with 300 entities."""
