"""The built-in embedding model: made from the original weights, and compared with them."""
