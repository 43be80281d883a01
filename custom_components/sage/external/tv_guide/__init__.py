"""TV guides: XMLTV files, stored in SQLite and searched by words, meaning and time."""
