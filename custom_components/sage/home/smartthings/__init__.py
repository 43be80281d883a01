"""The backend for SmartThings devices that uses the SmartThings API directly.

This package calls a component, capability, attribute or command "raw" if it is the one of the
SmartThings cloud. Entities of Home Assistant are not raw.
"""
