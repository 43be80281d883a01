"""Tests of SAGE."""
