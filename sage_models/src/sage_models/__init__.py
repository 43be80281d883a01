"""The models server of SAGE: embeddings of texts and images over HTTP."""
