"""The backend for SmartThings devices that uses the SmartThings API directly.

In names, "raw" marks components, capabilities, attributes and commands of the SmartThings cloud.
"""
