"""The backend for SmartThings devices that uses the SmartThings API directly.

In names, "raw" marks components, capabilities, attributes and commands as the SmartThings cloud
gives them, in contrast to entities of Home Assistant.
"""
