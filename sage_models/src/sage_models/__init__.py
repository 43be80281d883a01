"""The models server of SAGE: embeddings of texts, images and voices over HTTP."""
