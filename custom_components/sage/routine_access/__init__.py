"""What people and automations see of routines, and may do with them (DESIGN 8 and 10)."""
