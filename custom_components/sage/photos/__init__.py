"""Photos of devices, and the search for the device that fits a description."""
