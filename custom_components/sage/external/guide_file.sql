-- The TV guide. In all tables, the column `text` is a hash of title, subtitle, description and
-- category. The table `words` is the full-text index, of texts in lower case without
-- accents. Times are seconds since 1970.
CREATE TABLE channels (
    channel INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    names TEXT NOT NULL,
    number TEXT NOT NULL
) STRICT;
CREATE TABLE texts (
    text INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    subtitle TEXT NOT NULL,
    description TEXT NOT NULL,
    category TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE words USING fts5(
    title, subtitle, description, category,
    content = '', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE programmes (
    channel INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    text INTEGER NOT NULL,
    PRIMARY KEY (channel, start)
) STRICT, WITHOUT ROWID;
CREATE INDEX by_start ON programmes (start, stop);
CREATE INDEX by_text ON programmes (text);
-- Next version
DROP TABLE IF EXISTS vectors;
