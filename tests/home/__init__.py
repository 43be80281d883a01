"""Tests of the home."""
