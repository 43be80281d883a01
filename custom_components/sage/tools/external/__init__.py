"""The tools for mail, calendars, contacts, weather and the TV schedule."""
