"""The backend for raw SmartThings devices.

"Raw" means the components, capabilities and attributes of the SmartThings cloud, not the entities
that Home Assistant makes from them.
"""
