"""The tools for sources outside the home: mail, calendars, contacts, weather and TV guides."""
