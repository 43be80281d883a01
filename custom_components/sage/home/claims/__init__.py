"""What a claim of an answer says about the home, compared with what was done and read."""
