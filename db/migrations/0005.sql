-- Networks that runs measured: startup and bandwidth of every ordered pair with their standard errors
-- (NULL: none can be given), what the ports of ranks carry at most (NULL: no limit was seen; a rank
-- without a row was not tried), and how the throughput of a rank grows with its partners: relative to
-- one, and how many times as fast as one message after another, out and in.
ALTER TABLE run ADD COLUMN network_file TEXT;
CREATE TABLE link (
    run             INTEGER NOT NULL REFERENCES run (id),
    source          INTEGER NOT NULL,
    destination     INTEGER NOT NULL,
    startup_s       REAL NOT NULL,
    startup_error_s REAL,
    bandwidth       REAL NOT NULL, -- bytes per second
    bandwidth_error REAL,
    PRIMARY KEY (run, source, destination)
) STRICT, WITHOUT ROWID;
CREATE TABLE port (
    run           INTEGER NOT NULL REFERENCES run (id),
    rank          INTEGER NOT NULL,
    out_bandwidth REAL,
    in_bandwidth  REAL,
    PRIMARY KEY (run, rank)
) STRICT, WITHOUT ROWID;
CREATE TABLE contention (
    run      INTEGER NOT NULL REFERENCES run (id),
    partners INTEGER NOT NULL,
    relative REAL NOT NULL,
    out_gain REAL NOT NULL,
    in_gain  REAL NOT NULL,
    PRIMARY KEY (run, partners)
) STRICT, WITHOUT ROWID;
