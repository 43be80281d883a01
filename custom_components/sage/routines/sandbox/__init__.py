"""Running condition code that a model wrote, where it can reach nothing but what it is lent."""
