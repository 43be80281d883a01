"""SmartThings devices as they are: components, capabilities, attributes, commands (DESIGN 5)."""
