"""The tools of the paper's Table I, one file for each row or group of rows."""
