"""Mail of each person over IMAP and SMTP."""
