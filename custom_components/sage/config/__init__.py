"""The configuration: flows, settings, and the parts that are made from them."""
