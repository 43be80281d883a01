"""Lets Home Assistant load entries of the home; nobody adds one by hand."""

from homeassistant.config_entries import ConfigFlow

from .entities import DOMAIN


class LargeHomeFlow(ConfigFlow, domain=DOMAIN):
    """No steps."""
