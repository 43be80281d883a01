"""The tools for sources outside the home: mail, calendars, contacts, weather, TV schedule."""
