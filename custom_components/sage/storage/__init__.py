"""SQLite files that keep what they acknowledged: the ground floor of memory and routines."""
