"""The person who speaks to SAGE: identification, PIN and words of confirmation."""
