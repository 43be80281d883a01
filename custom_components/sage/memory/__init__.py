"""Store each person's utterances, search them, and summarize them in a profile."""
