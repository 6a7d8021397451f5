-- A job is known by its campaign and its name: Slurm's ids, which name jobs, are those of one
-- cluster, and wrap. Runs of a campaign whose job had been taken for another campaign's lose its
-- environment: the next collect reads their files again (they had a line that was refused), and
-- computes what their points gave anew.
CREATE TABLE new_job (
    campaign    TEXT NOT NULL REFERENCES campaign (id),
    id          TEXT NOT NULL,
    environment TEXT NOT NULL REFERENCES environment (id),
    facts       TEXT CHECK (facts IS NULL OR json_valid(facts)),
    PRIMARY KEY (campaign, id)
) STRICT;
INSERT INTO new_job (campaign, id, environment, facts)
SELECT campaign, id, environment, facts
FROM job;
-- The environment of lost jobs, which collect takes away again: the SHA-256 of '{}'.
INSERT INTO environment (id, described)
VALUES ('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', '{}')
ON CONFLICT (id) DO NOTHING;
INSERT INTO new_job (campaign, id, environment, facts)
SELECT DISTINCT run.campaign, run.job,
                '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', NULL
FROM run
JOIN job ON job.id = run.job
WHERE run.campaign <> job.campaign;
CREATE TEMP TABLE IF NOT EXISTS touched (point TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT OR IGNORE INTO temp.touched (point)
SELECT run.point
FROM run
JOIN job ON job.id = run.job
WHERE run.campaign <> job.campaign;

-- As in version 1 but for min_samples and the reference to job.
CREATE TABLE new_run (
    id                  INTEGER PRIMARY KEY,
    hash                TEXT NOT NULL UNIQUE,   -- SHA-256 of the record's line
    file                TEXT NOT NULL REFERENCES record_file (name),
    point               TEXT NOT NULL REFERENCES point (id),
    campaign            TEXT NOT NULL REFERENCES campaign (id),
    job                 TEXT NOT NULL,
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
    computation_s       REAL,
    min_samples         INTEGER,                -- how many were wanted at least
    FOREIGN KEY (campaign, job) REFERENCES new_job (campaign, id)
) STRICT;
INSERT INTO new_run
SELECT *, NULL
FROM run;

DROP TABLE run;
DROP TABLE job;
ALTER TABLE new_job RENAME TO job;
ALTER TABLE new_run RENAME TO run;
CREATE INDEX run_by_point ON run (point);
CREATE INDEX run_by_job ON run (campaign, job);

-- Whether the intervals of the runs that a row pools do not all overlap: then it is of no one state
-- of the machine. Known when the points are computed anew.
ALTER TABLE outcome ADD COLUMN disagree INTEGER NOT NULL DEFAULT 0;
INSERT OR IGNORE INTO temp.touched (point)
SELECT point
FROM outcome
WHERE runs > 1;
