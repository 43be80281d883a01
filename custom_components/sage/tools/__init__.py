"""The tools of the paper's Table I, one file a row or a family of rows."""
