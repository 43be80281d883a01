"""All devices of the home: listing, documentation, current values, commands."""
