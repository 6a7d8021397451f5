-- Decompositions of arrays: what they cost, in cells, in the mean over what a model drew; how long it
-- took to find them; whether the search came to its end; and the parts themselves where there was one
-- array. internal_edges is a mean, so no whole number.
ALTER TABLE run ADD COLUMN acost REAL;
ALTER TABLE run ADD COLUMN bcost REAL;
ALTER TABLE run ADD COLUMN internal_edges REAL;
ALTER TABLE run ADD COLUMN cost REAL;
ALTER TABLE run ADD COLUMN decompose_s REAL;
ALTER TABLE run ADD COLUMN settled INTEGER;
CREATE TABLE rectangle (
    run          INTEGER NOT NULL REFERENCES run (id),
    owner        INTEGER NOT NULL,
    first_row    REAL NOT NULL,
    first_column REAL NOT NULL,
    rows         REAL NOT NULL,
    columns      REAL NOT NULL,
    PRIMARY KEY (run, owner)
) STRICT, WITHOUT ROWID;
