-- Memories of one person. Times are microseconds since 1970 (UTC).
CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE,
    text TEXT NOT NULL,
    question TEXT,
    place TEXT,
    origin INTEGER NOT NULL,
    tainted INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    count INTEGER NOT NULL
) STRICT;
CREATE TABLE sayings (
    memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    place TEXT,
    origin INTEGER NOT NULL,
    tainted INTEGER NOT NULL,
    PRIMARY KEY (memory, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
) STRICT;
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    model INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    UNIQUE (memory, model)
) STRICT;
CREATE TABLE days (
    date TEXT PRIMARY KEY,
    starts INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    text TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    model TEXT NOT NULL
) STRICT;
CREATE TABLE profile (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    text TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    model TEXT NOT NULL,
    dates TEXT NOT NULL
) STRICT;
CREATE TABLE corrections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
-- Next version
-- Requests have a negative origin.
CREATE INDEX requests ON sayings (at) WHERE origin < 0;
-- Next version
-- The log of commands
CREATE TABLE commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    run TEXT NOT NULL UNIQUE,
    summary TEXT NOT NULL,
    trace TEXT NOT NULL
) STRICT;
-- Next version
-- Vectors of one model, and corrections as memories with this origin
DROP TABLE vectors;
DROP TABLE models;
DROP TABLE corrections;
CREATE TABLE vectors (
    memory INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
    vector BLOB NOT NULL
) STRICT;
ALTER TABLE days DROP COLUMN made_at;
ALTER TABLE days DROP COLUMN model;
ALTER TABLE profile ADD COLUMN notes_hash TEXT NOT NULL DEFAULT '';
-- Next version
-- The vectors of the person's voice
CREATE TABLE voices (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL
) STRICT;
