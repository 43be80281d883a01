"""What condition code may ask of the home: each function in its own file (DESIGN 8)."""
