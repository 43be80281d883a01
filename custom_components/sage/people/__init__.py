"""The speaker: a Home Assistant user or the household."""
