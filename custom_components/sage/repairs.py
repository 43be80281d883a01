"""Fix flows of SAGE's repair issues, where Home Assistant looks for them."""

from .config import async_create_fix_flow

__all__ = ["async_create_fix_flow"]
