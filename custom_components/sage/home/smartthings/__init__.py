"""The backend for raw SmartThings devices: components, capabilities, attributes (DESIGN 5)."""
