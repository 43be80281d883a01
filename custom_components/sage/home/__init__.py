"""The one view of all devices: what there is, what it can do, what it did."""
