"""The tools of the SAGE paper (Table I): one file for each tool or group of related tools."""
