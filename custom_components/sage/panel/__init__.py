"""The page in the sidebar and the dashboard card: registration and websocket commands."""

from .panel import async_add_page, async_register_websocket, async_remove_page
