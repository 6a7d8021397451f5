-- Placements of processes on networks of switches: the cardinality and the least it can be, seconds of
-- a message by the mapping paper's delays when 0, 10 or 20 % go to any process, how long it took to
-- find, the links between switches; and where one is drawn the switches, with their level and
-- parent in the tree that routes go by and their place in a walk of it, the links between them,
-- and the switch of each process, with its place in the mesh.
ALTER TABLE run ADD COLUMN cardinality REAL;
ALTER TABLE run ADD COLUMN cardinality_bound REAL;
ALTER TABLE run ADD COLUMN latency_0_s REAL;
ALTER TABLE run ADD COLUMN latency_10_s REAL;
ALTER TABLE run ADD COLUMN latency_20_s REAL;
ALTER TABLE run ADD COLUMN place_s REAL;
ALTER TABLE run ADD COLUMN network_links INTEGER;
CREATE TABLE network_switch (
    run    INTEGER NOT NULL REFERENCES run (id),
    number INTEGER NOT NULL,
    level  INTEGER NOT NULL,
    parent INTEGER,
    place  INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE switch_link (
    run INTEGER NOT NULL REFERENCES run (id),
    a   INTEGER NOT NULL,
    b   INTEGER NOT NULL,
    PRIMARY KEY (run, a, b)
) STRICT, WITHOUT ROWID;
CREATE TABLE placed (
    run      INTEGER NOT NULL REFERENCES run (id),
    rank     INTEGER NOT NULL,
    switch   INTEGER NOT NULL,
    row      INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    PRIMARY KEY (run, rank)
) STRICT, WITHOUT ROWID;
