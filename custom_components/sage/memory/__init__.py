"""Everything that people said: storage, recall, profile."""
