"""What people say is remembered, and used for them alone."""
