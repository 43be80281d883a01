CREATE TABLE routines (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    removed INTEGER NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE TABLE memos (
    routine TEXT PRIMARY KEY REFERENCES routines (id) ON DELETE CASCADE,
    data TEXT NOT NULL
) STRICT;
CREATE TABLE firings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    routine TEXT NOT NULL REFERENCES routines (id) ON DELETE CASCADE,
    edge TEXT NOT NULL,
    step TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX firings_of_routine ON firings (routine);
-- Next version
-- Older versions only marked a deleted routine: now `removed` is always 0.
DELETE FROM routines WHERE removed;
