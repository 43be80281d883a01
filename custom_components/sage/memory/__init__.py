"""Everything that people said: storage, recall, profile (DESIGN 7)."""
