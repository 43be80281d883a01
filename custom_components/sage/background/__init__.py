"""Background jobs: texts and risk classifications by the model, data of absent users."""
