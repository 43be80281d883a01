"""The tools of the paper's Table I; one file per tool, or for a group of related tools."""
