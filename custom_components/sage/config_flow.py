"""The config flow of SAGE, where Home Assistant looks for it."""

from .config.model_flow import SageConfigFlow

__all__ = ["SageConfigFlow"]
