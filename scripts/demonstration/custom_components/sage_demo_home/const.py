"""Names of the demo home."""

DOMAIN = "sage_demo_home"
