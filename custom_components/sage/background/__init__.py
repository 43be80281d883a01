"""Work without a waiting person: texts and classifications by the model, absent users."""
