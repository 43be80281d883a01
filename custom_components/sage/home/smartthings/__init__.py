"""The backend for SmartThings devices that uses the SmartThings API directly.

In this package, "raw" means a component, capability, attribute or command of the SmartThings cloud,
in contrast to an entity of Home Assistant.
"""
