"""The configuration: flows, settings, and set-up of the parts that depend on them."""
