"""Finding a device by a description of its surroundings: drawn photos, and a model for them."""
