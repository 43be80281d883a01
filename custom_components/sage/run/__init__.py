"""From an utterance to its answer."""
