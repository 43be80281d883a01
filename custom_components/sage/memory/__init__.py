"""What each person said: storage, recall, profile (DESIGN 7)."""
