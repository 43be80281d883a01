CREATE TABLE photos (
    subject TEXT NOT NULL,
    content TEXT NOT NULL,
    caption TEXT NOT NULL,
    added REAL NOT NULL,
    image BLOB NOT NULL,
    PRIMARY KEY (subject, content)
) STRICT;
CREATE TABLE vectors (
    content TEXT NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (content, model)
) STRICT;
