"""A benchmark that others wrote, with its data: 456 sentences in homes of 34 to 453 entities."""
