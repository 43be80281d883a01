"""Work that nobody waits for: texts and classifications by the model, data of people who left."""
