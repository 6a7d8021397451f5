-- Sweeps over decomposed arrays: how evenly the time of computing was spread over the ranks (largest
-- over mean), and the weights that were measured for the run.
ALTER TABLE run ADD COLUMN load_balance REAL;
ALTER TABLE run ADD COLUMN weights_taken TEXT;
-- How fast each rank swept, cells per second, with the interval of the median.
CREATE TABLE speed (
    run    INTEGER NOT NULL REFERENCES run (id),
    rank   INTEGER NOT NULL,
    median REAL NOT NULL,
    low    REAL NOT NULL,
    high   REAL NOT NULL,
    PRIMARY KEY (run, rank)
) STRICT, WITHOUT ROWID;
