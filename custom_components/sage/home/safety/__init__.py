"""Exposure, permissions and risk: what a person may use and what needs confirmation."""
