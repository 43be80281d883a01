"""The contacts of each person: CardDAV accounts and SAGE's own address book."""
