"""Runs condition code isolated from Home Assistant."""
