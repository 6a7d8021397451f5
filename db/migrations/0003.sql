-- What making a schedule took, and which of its candidates was chosen; parameters that tune an
-- algorithm are part of it, and not of what algorithms are compared on.
ALTER TABLE run ADD COLUMN compress_s REAL;
ALTER TABLE run ADD COLUMN heap_s REAL;
ALTER TABLE run ADD COLUMN sort_s REAL;
ALTER TABLE run ADD COLUMN heap_operations INTEGER;
ALTER TABLE run ADD COLUMN choice TEXT;
-- "greedy depth 4": the algorithm as figures name it.
ALTER TABLE point ADD COLUMN variant TEXT GENERATED ALWAYS AS (
    json_extract(params, '$.algorithm')
    || coalesce(' lambda ' || json_extract(params, '$.lambda'), '')
    || coalesce(' tau/phi ' || (json_extract(params, '$.tau') / json_extract(params, '$.phi')), '')
    || coalesce(' depth ' || nullif(json_extract(params, '$.depth'), 1), '')
    || coalesce(' of ' || json_extract(params, '$.choices'), '')) VIRTUAL;
ALTER TABLE point ADD COLUMN problem TEXT GENERATED ALWAYS AS (
    json_remove(params, '$.algorithm', '$.lambda', '$.tau', '$.phi', '$.depth', '$.choices')) VIRTUAL;
DROP INDEX point_by_instance;
CREATE INDEX point_by_problem ON point (workload, ranks, problem);
CREATE INDEX point_by_variant ON point (workload, ranks, variant);
-- Of the traced step, whose transfers are in `event`: how many had no room, and how well the clocks
-- of its ranks are known. NULL: no step was traced.
ALTER TABLE run ADD COLUMN events_lost INTEGER;
ALTER TABLE run ADD COLUMN clock_error_s REAL;
-- The same transfers by the cost model, on the network planned_network.
ALTER TABLE run ADD COLUMN planned_network TEXT;
CREATE TABLE planned_event (
    run       INTEGER NOT NULL REFERENCES run (id),
    rank      INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    peer      INTEGER NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('send', 'receive')),
    phase     INTEGER NOT NULL,
    bytes     INTEGER NOT NULL,
    start_s   REAL NOT NULL,
    end_s     REAL NOT NULL,
    PRIMARY KEY (run, rank, number)
) STRICT, WITHOUT ROWID;
