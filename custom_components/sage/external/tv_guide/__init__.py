"""The TV guide: an XMLTV file, stored in SQLite and searched by words, meaning and time."""
