"""The config flow of SAGE, where Home Assistant looks for it."""

from .config import SageConfigFlow

__all__ = ["SageConfigFlow"]
