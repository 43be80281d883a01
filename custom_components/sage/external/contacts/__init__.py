"""Contacts of each person: CardDAV accounts, and an address book that SAGE keeps."""
