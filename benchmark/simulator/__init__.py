"""A SmartThings cloud and the homes in it, simulated."""
