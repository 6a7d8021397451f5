-- Version 1 of nuce's database. The record files are the truth: everything here can be collected
-- from them again. Times of day are UTC (ISO 8601); quantities ending in _s are seconds. NULL is
-- unknown or not applicable. Changes go into migrations/NNNN.sql, never into this file.

-- One sweep submitted once. A campaign known only from its records has NULL beside its id.
CREATE TABLE campaign (
    id           TEXT PRIMARY KEY,
    name         TEXT,
    created      TEXT,
    workload     TEXT,
    sweep_sha256 TEXT,
    points       INTEGER
) STRICT;

-- Everything that describes where a run ran. id is the SHA-256 of described; '{}' is what runs
-- have whose job record is lost.
CREATE TABLE environment (
    id        TEXT PRIMARY KEY CHECK (length(id) = 64),
    described TEXT NOT NULL CHECK (json_valid(described))
) STRICT;

-- One launch. facts hold for it only: hosts, Slurm variables, placement of ranks. NULL: lost.
CREATE TABLE job (
    id          TEXT PRIMARY KEY,
    campaign    TEXT NOT NULL REFERENCES campaign (id),
    environment TEXT NOT NULL REFERENCES environment (id),
    facts       TEXT CHECK (facts IS NULL OR json_valid(facts))
) STRICT;

-- One workload, algorithm, instance and rank count. id is the SHA-256 of the canonical form;
-- `instance` is what algorithms are compared on: the parameters without the algorithm.
CREATE TABLE point (
    id        TEXT PRIMARY KEY CHECK (length(id) = 64),
    workload  TEXT NOT NULL,
    ranks     INTEGER NOT NULL,
    params    TEXT NOT NULL CHECK (json_valid(params)),
    algorithm TEXT GENERATED ALWAYS AS (json_extract(params, '$.algorithm')) STORED,
    instance  TEXT GENERATED ALWAYS AS (json_remove(params, '$.algorithm')) STORED
) STRICT;
CREATE INDEX point_by_algorithm ON point (workload, ranks, algorithm);
CREATE INDEX point_by_instance ON point (workload, ranks, instance);

-- Record files that were read to the end; one whose bytes have not changed is not read again.
CREATE TABLE record_file (
    name   TEXT PRIMARY KEY,           -- CAMPAIGN/FILE
    bytes  INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    torn   INTEGER NOT NULL,           -- 1: ends in the middle of a line
    runs   INTEGER NOT NULL,          -- lines that are runs
    bad    INTEGER NOT NULL            -- lines that could not be collected; then it is read again
) STRICT;

-- One execution of a point. id is the first 63 bits of hash, so that the same records give the same
-- database in whatever order they come. The columns from `point` to `single_port_bound_s` are
-- nuce_record_fields.
CREATE TABLE run (
    id                  INTEGER PRIMARY KEY,
    hash                TEXT NOT NULL UNIQUE,   -- SHA-256 of the record's line
    file                TEXT NOT NULL REFERENCES record_file (name),
    point               TEXT NOT NULL REFERENCES point (id),
    campaign            TEXT NOT NULL REFERENCES campaign (id),
    job                 TEXT NOT NULL REFERENCES job (id),
    kind                TEXT NOT NULL CHECK (kind IN ('measured', 'simulated', 'modelled')),
    status              TEXT NOT NULL
                        CHECK (status IN ('ok', 'failed', 'corrupt', 'timeout', 'interrupted')),
    message             TEXT,
    started             TEXT NOT NULL,
    wall_s              REAL,
    stopped             TEXT,
    wait                TEXT,
    sync                TEXT,
    oversubscribed      INTEGER,
    nonblocking         INTEGER,
    phases              INTEGER,
    pieces              INTEGER,
    messages            INTEGER,
    bytes               INTEGER,
    port_bytes          INTEGER,
    degree              INTEGER,
    edge_cut            INTEGER,
    index_s             REAL,
    gather_s            REAL,
    schedule_s          REAL,
    first_s             REAL,
    predicted_s         REAL,
    bound_s             REAL,
    single_port_bound_s REAL,
    samples             INTEGER NOT NULL,       -- how many it has
    step_s              REAL,                   -- medians of its samples
    pack_s              REAL,
    communication_s     REAL,
    unpack_s            REAL,
    computation_s       REAL
) STRICT;
CREATE INDEX run_by_point ON run (point);
CREATE INDEX run_by_job ON run (job);
CREATE INDEX run_by_campaign ON run (campaign);

-- Each part of each sample: max over ranks.
CREATE TABLE sample (
    run             INTEGER NOT NULL REFERENCES run (id),
    number          INTEGER NOT NULL,
    step_s          REAL NOT NULL,
    pack_s          REAL,
    communication_s REAL,
    unpack_s        REAL,
    computation_s   REAL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

-- The step of each rank, where it was kept (--per-rank).
CREATE TABLE rank_sample (
    run    INTEGER NOT NULL REFERENCES run (id),
    number INTEGER NOT NULL,
    rank   INTEGER NOT NULL,
    step_s REAL NOT NULL,
    PRIMARY KEY (run, number, rank)
) STRICT, WITHOUT ROWID;

-- Hardware counters; NULL where one could not be counted.
CREATE TABLE counter (
    run   INTEGER NOT NULL REFERENCES run (id),
    part  TEXT NOT NULL,
    event TEXT NOT NULL,
    value INTEGER,
    PRIMARY KEY (run, part, event)
) STRICT, WITHOUT ROWID;

-- Traced transfers; times from the start of the step.
CREATE TABLE event (
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

-- Derived by collect from runs that ended ok, and from nothing else: what a point gave, a row for
-- each environment, kind, wait policy and sync, which are never pooled ('': the record does not say).
-- Each quantity NAME is a median with its 95 % confidence interval: the parts of the step over all n
-- samples of those runs, then what happens once a run over the runs. NAMEs are nuce_sample_parts and
-- nuce_once_parts. latest is the run that started last.
CREATE TABLE outcome (
    point                TEXT NOT NULL REFERENCES point (id),
    environment          TEXT NOT NULL REFERENCES environment (id),
    kind                 TEXT NOT NULL,
    wait                 TEXT NOT NULL,
    sync                 TEXT NOT NULL,
    runs                 INTEGER NOT NULL,
    latest               INTEGER NOT NULL REFERENCES run (id),
    n                    INTEGER NOT NULL,
    step_s               REAL,
    step_low_s           REAL,
    step_high_s          REAL,
    pack_s               REAL,
    pack_low_s           REAL,
    pack_high_s          REAL,
    communication_s      REAL,
    communication_low_s  REAL,
    communication_high_s REAL,
    unpack_s             REAL,
    unpack_low_s         REAL,
    unpack_high_s        REAL,
    computation_s        REAL,
    computation_low_s    REAL,
    computation_high_s   REAL,
    index_s              REAL,
    index_low_s          REAL,
    index_high_s         REAL,
    gather_s             REAL,
    gather_low_s         REAL,
    gather_high_s        REAL,
    schedule_s           REAL,
    schedule_low_s       REAL,
    schedule_high_s      REAL,
    first_s              REAL,
    first_low_s          REAL,
    first_high_s         REAL,
    PRIMARY KEY (point, environment, kind, wait, sync)
) STRICT, WITHOUT ROWID;
