"""What the web page of SAGE reads (DESIGN 3)."""
