"""Who is speaking: Home Assistant users and the household."""
