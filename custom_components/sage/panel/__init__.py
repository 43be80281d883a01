"""The page in the sidebar and the dashboard card, and their websocket commands.

The websocket commands run with the permissions of the signed-in user; each view of the page has a
file with its commands. `sage/action` calls SAGE's service actions.
"""

from .panel import async_add_page, async_register_websocket, async_remove_page
