"""Mail of one person: IMAP and SMTP."""
