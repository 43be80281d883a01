"""From an utterance to its answer (DESIGN 4)."""
