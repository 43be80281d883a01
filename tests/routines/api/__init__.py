"""People see routines: switches, events, the logbook, repair issues."""
