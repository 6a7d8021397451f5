-- nuce's database. The record files are the truth: everything here can be collected from them again. It is collected
-- again if this file or views.sql changes (their hash is the user_version). Times of day are UTC (ISO 8601);
-- quantities ending in _s are seconds. NULL is unknown or not applicable.
--
-- SQLite 3.34, which RHEL 9 has, must run all of it: no STRICT (3.37), no ->> (3.38). So numbers have a CHECK of
-- their type; a TEXT column converts its values to text anyway.

-- One sweep submitted once. A campaign known only from its records has NULL in all columns but id. created tells it
-- from another one of its id, which collect refuses.
CREATE TABLE campaign (
    id           TEXT NOT NULL PRIMARY KEY,
    name         TEXT,
    created      TEXT,
    workload     TEXT,
    sweep_sha256 TEXT,
    points       INTEGER CHECK (typeof(points) IN ('integer', 'null')),
    launches     INTEGER CHECK (typeof(launches) IN ('integer', 'null')) -- of each point, requested
);

-- Everything that describes where a run ran. id is the SHA-256 of described; '{}' is for runs with a lost job
-- record. buffer_bytes is the queue in front of each port, which drops any excess; it comes from a file that
-- describes the cluster.
CREATE TABLE environment (
    id           TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 64),
    described    TEXT NOT NULL CHECK (json_valid(described)),
    buffer_bytes INTEGER GENERATED ALWAYS AS (iif(json_type(described, '$.cluster.buffer_bytes') = 'integer',
                                                  json_extract(described, '$.cluster.buffer_bytes'), NULL)) VIRTUAL
);

-- One launch, identified by its campaign and its name. Slurm's ids, which name jobs, are those of one cluster, and
-- wrap. facts hold for this launch only: hosts, known Slurm variables, placement of ranks, and the time to
-- synchronise the clocks of nodes. NULL: lost. A job that ended before a rank was started has no run, and gives the
-- reason: json_extract(facts, '$.failed').
CREATE TABLE job (
    campaign    TEXT NOT NULL REFERENCES campaign (id),
    id          TEXT NOT NULL,
    environment TEXT NOT NULL REFERENCES environment (id),
    facts       TEXT CHECK (facts IS NULL OR json_valid(facts)),
    PRIMARY KEY (campaign, id)
);

-- One workload, instance and rank count, and one value each of schedule, decomposition and placement, NULL if the
-- workload has none. id is the SHA-256 of the canonical form. Points of one problem are compared by decomposition if
-- they have one, else by schedule, else by placement (the option that is NUCE_OPTION_COMPARED in the workload).
-- contender is the compared value with its tuning, as figures name it ("greedy in-flight 4"); problem is the
-- parameters without either. nuce replaces comments /* rows: ... */ by text from the rows of schedules and of their
-- tuning (store_schema.c): the paths of all tuning options, the depths of schedules other than 1, and a word and the
-- value of each option that is not worded here.
CREATE TABLE point (
    id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 64),
    workload      TEXT NOT NULL,
    ranks         INTEGER NOT NULL CHECK (typeof(ranks) = 'integer'),
    params        TEXT NOT NULL CHECK (json_valid(params)),
    schedule      TEXT GENERATED ALWAYS AS (json_extract(params, '$.schedule')) STORED,
    decomposition TEXT GENERATED ALWAYS AS (json_extract(params, '$.decomposition')) STORED,
    placement     TEXT GENERATED ALWAYS AS (json_extract(params, '$.placement')) STORED,
    contender     TEXT GENERATED ALWAYS AS (coalesce(
        json_extract(params, '$.decomposition'),
        json_extract(params, '$.schedule')
        || coalesce(' lambda ' || json_extract(params, '$."lambda"'), '')
        || coalesce(' tau/phi ' || (json_extract(params, '$."tau"') / json_extract(params, '$."phi"')), '')
        || coalesce(' in-flight ' || nullif(json_extract(params, '$."in-flight"'),
                                            CASE json_extract(params, '$.schedule') /* rows: depths */ ELSE 1 END), '')
        || coalesce(' radix ' || json_extract(params, '$."radix"'), '')
        || coalesce(' nodes of ' || json_extract(params, '$."node-ranks"'), '')
        || coalesce(' leaders ' || json_extract(params, '$."leaders"'), '')
        || coalesce(' groups of ' || json_extract(params, '$."group-ranks"'), '')
        || coalesce(' groups by ' || json_extract(params, '$."group-topology"'), '')
        || coalesce(' within ' || json_extract(params, '$."within"'), '')
        || coalesce(' between ' || json_extract(params, '$."between"'), '')
        || coalesce(' of ' || json_extract(params, '$."choices"'), '')
        /* rows: words */,
        json_extract(params, '$.placement'),
        json_extract(params, '$.name'),
        json_extract(params, '$.command') || coalesce(' ' || json_extract(params, '$.variables'), ''))) VIRTUAL,
    problem       TEXT GENERATED ALWAYS AS (CASE
        WHEN json_extract(params, '$.decomposition') IS NOT NULL
        THEN json_remove(params, '$.decomposition')
        WHEN json_extract(params, '$.schedule') IS NOT NULL
        THEN json_remove(params, '$.schedule' /* rows: paths */)
        ELSE json_remove(params, '$.placement', '$.name', '$.command', '$.variables') END) VIRTUAL
);

-- Record files that were read to the end; an unchanged file is not read again.
CREATE TABLE record_file (
    name   TEXT NOT NULL PRIMARY KEY,           -- CAMPAIGN/FILE
    bytes  INTEGER NOT NULL CHECK (typeof(bytes) = 'integer'),
    sha256 TEXT NOT NULL,
    torn   INTEGER NOT NULL CHECK (typeof(torn) = 'integer'), -- 1: ends in the middle of a line
    runs   INTEGER NOT NULL CHECK (typeof(runs) = 'integer'), -- lines that are runs
    bad    INTEGER NOT NULL CHECK (typeof(bad) = 'integer') -- lines that could not be collected; if any, it is read
                                                            -- again
);

-- One execution of a point. id is the first 63 bits of hash. So the same records give the same database in any
-- order, and a run is found by its hash without an index of it. The columns from `point` to `min_samples` are
-- nuce_record_fields.
CREATE TABLE run (
    id                  INTEGER PRIMARY KEY,
    hash                TEXT NOT NULL,          -- SHA-256 of the record's line
    file                TEXT NOT NULL REFERENCES record_file (name),
    point               TEXT NOT NULL REFERENCES point (id),
    campaign            TEXT NOT NULL REFERENCES campaign (id),
    job                 TEXT NOT NULL,
    kind                TEXT NOT NULL -- OR: SQLite makes a table for each row for an IN of more than two
                        CHECK (kind = 'measured' OR kind = 'simulated' OR kind = 'modelled'),
    status              TEXT NOT NULL
                        CHECK (status = 'ok' OR status = 'failed' OR status = 'corrupt' OR status = 'timeout'
                               OR status = 'interrupted'),
    message             TEXT,
    started             TEXT NOT NULL,
    wall_s              REAL CHECK (typeof(wall_s) IN ('real', 'null')),
    stopped             TEXT,
    -- 1: its race may end at any launch, as soon as it is known.
    until_known         INTEGER GENERATED ALWAYS AS (stopped = 'known' OR stopped = 'budget'
                                                     OR stopped = 'most-launches' OR stopped = 'open') VIRTUAL,
    race                TEXT,
    compared            TEXT CHECK (compared IS NULL OR json_valid(compared)),
    order_seed          INTEGER CHECK (typeof(order_seed) IN ('integer', 'null')),
    criterion           TEXT,                   -- the compared part of a step: step, communication
    sync                TEXT,                   -- how ranks began a turn together: barrier or window
    batch               INTEGER CHECK (typeof(batch) IN ('integer', 'null')), -- steps of a turn, by which its time
                                                                              -- was divided
    late_rounds         INTEGER CHECK (typeof(late_rounds) IN ('integer', 'null')), -- rounds that did not count: a
                                                                                    -- rank was not ready in its
                                                                                    -- window
    skew_s              REAL CHECK (typeof(skew_s) IN ('real', 'null')), -- distance of the ranks' starts, over the
                                                                         -- race's turns: median
    skew_high_s         REAL CHECK (typeof(skew_high_s) IN ('real', 'null')), -- and 95 % quantile
    sync_residual_s     REAL CHECK (typeof(sync_residual_s) IN ('real', 'null')), -- error of the clocks after the
                                                                                  -- rounds
    sync_error_s        REAL CHECK (typeof(sync_error_s) IN ('real', 'null')), -- and the uncertainty of that
    too_short           INTEGER CHECK (typeof(too_short) IN ('integer', 'null')), -- 1: a turn was not longer than
                                                                                  -- the uncertainty of its start
    wait                TEXT,
    oversubscribed      INTEGER CHECK (typeof(oversubscribed) IN ('integer', 'null')),
    min_samples         INTEGER CHECK (typeof(min_samples) IN ('integer', 'null')), -- minimum of the number of samples
    -- Its results, as its workload declares them: name -> value; a missing one is unknown. views.sql
    -- has columns for common ones; for the others use json_extract(metrics, '$.NAME').
    metrics               TEXT NOT NULL CHECK (json_valid(metrics)),
    predicted_s         REAL GENERATED ALWAYS AS (json_extract(metrics, '$.predicted_s')) VIRTUAL,
    lower_bound_s             REAL GENERATED ALWAYS AS (json_extract(metrics, '$.lower_bound_s')) VIRTUAL,
    -- Facts of the traced step, whose transfers are in `event`: the number of transfers without room, and the
    -- uncertainty of the ranks' clocks. NULL: no step was traced. planned_network is the network of planned_event.
    events_lost         INTEGER GENERATED ALWAYS AS (json_extract(metrics, '$.events_lost')) VIRTUAL,
    clock_error_s       REAL GENERATED ALWAYS AS (json_extract(metrics, '$.clock_error_s')) VIRTUAL,
    planned_network     TEXT GENERATED ALWAYS AS (json_extract(metrics, '$.planned_network')) VIRTUAL,
    -- A copy from found, because queries read it for each run: the number of processors that other processes kept
    -- busy during its race.
    others_cpus         REAL CHECK (typeof(others_cpus) IN ('real', 'null')),
    samples             INTEGER NOT NULL CHECK (typeof(samples) = 'integer'), -- number of its samples
    step_s              REAL CHECK (typeof(step_s) IN ('real', 'null')), -- medians of its samples
    pack_s              REAL CHECK (typeof(pack_s) IN ('real', 'null')),
    communication_s     REAL CHECK (typeof(communication_s) IN ('real', 'null')),
    unpack_s            REAL CHECK (typeof(unpack_s) IN ('real', 'null')),
    computation_s       REAL CHECK (typeof(computation_s) IN ('real', 'null')),
    rebalance_s         REAL CHECK (typeof(rebalance_s) IN ('real', 'null')),
    move_s              REAL CHECK (typeof(move_s) IN ('real', 'null')),
    own_s               REAL CHECK (typeof(own_s) IN ('real', 'null')),
    FOREIGN KEY (campaign, job) REFERENCES job (campaign, id)
);
CREATE INDEX run_by_job ON run (campaign, job, race, order_seed);

-- The samples of a run in one row, as JSON. Each sample is an array of seconds, the parts of the step in the order
-- of nuce_record_sample_parts. A part that was not timed is null. The view `sample` has a row for each.
CREATE TABLE sampled (
    run    INTEGER PRIMARY KEY REFERENCES run (id),
    times  TEXT NOT NULL,
    places TEXT                     -- JSON: an integer a sample, its turn in its round of the race
);

-- The same for the duplicate of a race's reference. Compared with the run's own samples, round by round, it is the
-- noise of the race. The view `round_ratio` compares both.
CREATE TABLE duplicate (
    run    INTEGER PRIMARY KEY REFERENCES run (id),
    times  TEXT NOT NULL,
    places TEXT NOT NULL
);

-- The step of each rank, if it was kept (--per-rank).
CREATE TABLE rank_sample (
    run    INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    number INTEGER NOT NULL CHECK (typeof(number) = 'integer'),
    rank   INTEGER NOT NULL CHECK (typeof(rank) = 'integer'),
    step_s REAL NOT NULL CHECK (typeof(step_s) = 'real'),
    PRIMARY KEY (run, number, rank)
) WITHOUT ROWID;

-- Hardware counters; NULL if one could not be counted.
CREATE TABLE counter (
    run   INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    part  TEXT NOT NULL,
    event TEXT NOT NULL,
    value INTEGER CHECK (typeof(value) IN ('integer', 'null')),
    PRIMARY KEY (run, part, event)
) WITHOUT ROWID;

-- Traced transfers; times from the start of the step.
CREATE TABLE event (
    run       INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    rank      INTEGER NOT NULL CHECK (typeof(rank) = 'integer'),
    number    INTEGER NOT NULL CHECK (typeof(number) = 'integer'),
    peer      INTEGER NOT NULL CHECK (typeof(peer) = 'integer'),
    direction TEXT NOT NULL CHECK (direction IN ('send', 'receive')),
    phase     INTEGER NOT NULL CHECK (typeof(phase) = 'integer'),
    bytes     INTEGER NOT NULL CHECK (typeof(bytes) = 'integer'),
    start_s   REAL NOT NULL CHECK (typeof(start_s) = 'real'),
    end_s     REAL NOT NULL CHECK (typeof(end_s) = 'real'),
    PRIMARY KEY (run, rank, number)
) WITHOUT ROWID;

-- The same transfers by the cost model, on the network planned_network. forward: the bytes of a send that are parts
-- of others' messages, with the send's peer, phase and times.
CREATE TABLE planned_event (
    run       INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    rank      INTEGER NOT NULL CHECK (typeof(rank) = 'integer'),
    number    INTEGER NOT NULL CHECK (typeof(number) = 'integer'),
    peer      INTEGER NOT NULL CHECK (typeof(peer) = 'integer'),
    direction TEXT NOT NULL CHECK (direction IN ('send', 'receive', 'forward')),
    phase     INTEGER NOT NULL CHECK (typeof(phase) = 'integer'),
    bytes     INTEGER NOT NULL CHECK (typeof(bytes) = 'integer'),
    start_s   REAL NOT NULL CHECK (typeof(start_s) = 'real'),
    end_s     REAL NOT NULL CHECK (typeof(end_s) = 'real'),
    PRIMARY KEY (run, rank, number)
) WITHOUT ROWID;

-- Networks that runs measured. They have startup and bandwidth of every ordered pair with their standard errors
-- (NULL: none can be given). They have the limit of each rank's port (NULL: no limit was seen; a rank without a row
-- was not tried). They have the growth of a rank's throughput with its partners: relative to one partner, and the
-- speed-up over one message after another, out and in.
CREATE TABLE link (
    run             INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    source          INTEGER NOT NULL CHECK (typeof(source) = 'integer'),
    destination     INTEGER NOT NULL CHECK (typeof(destination) = 'integer'),
    startup_s       REAL NOT NULL CHECK (typeof(startup_s) = 'real'),
    startup_error_s REAL CHECK (typeof(startup_error_s) IN ('real', 'null')),
    bandwidth       REAL NOT NULL CHECK (typeof(bandwidth) = 'real'), -- bytes per second
    bandwidth_error REAL CHECK (typeof(bandwidth_error) IN ('real', 'null')),
    PRIMARY KEY (run, source, destination)
) WITHOUT ROWID;
CREATE TABLE port (
    run           INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    rank          INTEGER NOT NULL CHECK (typeof(rank) = 'integer'),
    out_bandwidth REAL CHECK (typeof(out_bandwidth) IN ('real', 'null')),
    in_bandwidth  REAL CHECK (typeof(in_bandwidth) IN ('real', 'null')),
    PRIMARY KEY (run, rank)
) WITHOUT ROWID;
CREATE TABLE contention (
    run      INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    partners INTEGER NOT NULL CHECK (typeof(partners) = 'integer'),
    relative REAL NOT NULL CHECK (typeof(relative) = 'real'),
    out_gain REAL NOT NULL CHECK (typeof(out_gain) = 'real'),
    in_gain  REAL NOT NULL CHECK (typeof(in_gain) = 'real'),
    PRIMARY KEY (run, partners)
) WITHOUT ROWID;

-- The parts of a decomposed array, in cells, if there was one array.
CREATE TABLE rectangle (
    run          INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    owner        INTEGER NOT NULL CHECK (typeof(owner) = 'integer'),
    first_row    REAL NOT NULL CHECK (typeof(first_row) = 'real'),
    first_column REAL NOT NULL CHECK (typeof(first_column) = 'real'),
    rows         REAL NOT NULL CHECK (typeof(rows) = 'real'),
    columns      REAL NOT NULL CHECK (typeof(columns) = 'real'),
    PRIMARY KEY (run, owner)
) WITHOUT ROWID;

-- The sweeping speed of each rank, cells per second, with the interval of the median.
CREATE TABLE speed (
    run    INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    rank   INTEGER NOT NULL CHECK (typeof(rank) = 'integer'),
    median REAL NOT NULL CHECK (typeof(median) = 'real'),
    low    REAL NOT NULL CHECK (typeof(low) = 'real'),
    high   REAL NOT NULL CHECK (typeof(high) = 'real'),
    PRIMARY KEY (run, rank)
) WITHOUT ROWID;

-- A drawn network of switches. It has the switches, with their level and parent in the tree of the routes and their
-- place in a walk of it. It has the links between them, and the switch of each process, with its place in the mesh.
CREATE TABLE network_switch (
    run    INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    number INTEGER NOT NULL CHECK (typeof(number) = 'integer'),
    level  INTEGER NOT NULL CHECK (typeof(level) = 'integer'),
    parent INTEGER CHECK (typeof(parent) IN ('integer', 'null')),
    place  INTEGER NOT NULL CHECK (typeof(place) = 'integer'),
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE switch_link (
    run INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    a   INTEGER NOT NULL CHECK (typeof(a) = 'integer'),
    b   INTEGER NOT NULL CHECK (typeof(b) = 'integer'),
    PRIMARY KEY (run, a, b)
) WITHOUT ROWID;
CREATE TABLE placed (
    run      INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(run) = 'integer'),
    rank     INTEGER NOT NULL CHECK (typeof(rank) = 'integer'),
    switch   INTEGER NOT NULL CHECK (typeof(switch) = 'integer'),
    row      INTEGER NOT NULL CHECK (typeof(row) = 'integer'),
    "column" INTEGER NOT NULL CHECK (typeof("column") = 'integer'),
    PRIMARY KEY (run, rank)
) WITHOUT ROWID;

-- Derived by collect: the result of one launch for a contender and its race's reference, which had one turn each in
-- every round. ratio is the median over those rounds of the contender's time over the reference's, of the part that
-- its workload compares. low .. high is its 95 % interval (NULL: too few rounds for one), which excludes the
-- variation between launches. The reference's own row is that of its duplicate.
CREATE TABLE raced (
    run       INTEGER PRIMARY KEY REFERENCES run (id),
    reference INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(reference) = 'integer'),
    rounds    INTEGER NOT NULL CHECK (typeof(rounds) = 'integer'),
    ratio     REAL NOT NULL CHECK (typeof(ratio) = 'real'),
    low       REAL CHECK (typeof(low) IN ('real', 'null')),
    high      REAL CHECK (typeof(high) IN ('real', 'null'))
);

-- Derived by collect, only from runs that ended ok: the results of a point, a row for each environment, kind and
-- wait policy, which are never pooled ('': unknown). Each quantity NAME has a 95 % confidence interval. Parts of the
-- step (nuce_record_sample_parts) have, for one run, the median of its samples with the interval of order
-- statistics, which covers that launch alone. For several runs they have the geometric mean of their medians, with
-- the interval of Student's t over them (kernels/base/race_ratio.h). Quantities that occur once per run (index,
-- gather, schedule, first) have a median over the runs; fewer than six values have no such interval: its ends are
-- NULL. n counts samples; latest is the run that started last.
CREATE TABLE outcome (
    point                TEXT NOT NULL REFERENCES point (id),
    environment          TEXT NOT NULL REFERENCES environment (id),
    kind                 TEXT NOT NULL,
    wait                 TEXT NOT NULL,
    runs                 INTEGER NOT NULL CHECK (typeof(runs) = 'integer'),
    latest               INTEGER NOT NULL REFERENCES run (id) CHECK (typeof(latest) = 'integer'),
    n                    INTEGER NOT NULL CHECK (typeof(n) = 'integer'),
    too_short            INTEGER CHECK (typeof(too_short) IN ('integer', 'null')), -- 1: a step was too short for a
                                                                                   -- result in more than half of the
                                                                                   -- runs
    step_s               REAL CHECK (typeof(step_s) IN ('real', 'null')),
    step_low_s           REAL CHECK (typeof(step_low_s) IN ('real', 'null')),
    step_high_s          REAL CHECK (typeof(step_high_s) IN ('real', 'null')),
    pack_s               REAL CHECK (typeof(pack_s) IN ('real', 'null')),
    pack_low_s           REAL CHECK (typeof(pack_low_s) IN ('real', 'null')),
    pack_high_s          REAL CHECK (typeof(pack_high_s) IN ('real', 'null')),
    communication_s      REAL CHECK (typeof(communication_s) IN ('real', 'null')),
    communication_low_s  REAL CHECK (typeof(communication_low_s) IN ('real', 'null')),
    communication_high_s REAL CHECK (typeof(communication_high_s) IN ('real', 'null')),
    unpack_s             REAL CHECK (typeof(unpack_s) IN ('real', 'null')),
    unpack_low_s         REAL CHECK (typeof(unpack_low_s) IN ('real', 'null')),
    unpack_high_s        REAL CHECK (typeof(unpack_high_s) IN ('real', 'null')),
    computation_s        REAL CHECK (typeof(computation_s) IN ('real', 'null')),
    computation_low_s    REAL CHECK (typeof(computation_low_s) IN ('real', 'null')),
    computation_high_s   REAL CHECK (typeof(computation_high_s) IN ('real', 'null')),
    index_s              REAL CHECK (typeof(index_s) IN ('real', 'null')),
    index_low_s          REAL CHECK (typeof(index_low_s) IN ('real', 'null')),
    index_high_s         REAL CHECK (typeof(index_high_s) IN ('real', 'null')),
    gather_s             REAL CHECK (typeof(gather_s) IN ('real', 'null')),
    gather_low_s         REAL CHECK (typeof(gather_low_s) IN ('real', 'null')),
    gather_high_s        REAL CHECK (typeof(gather_high_s) IN ('real', 'null')),
    schedule_s           REAL CHECK (typeof(schedule_s) IN ('real', 'null')),
    schedule_low_s       REAL CHECK (typeof(schedule_low_s) IN ('real', 'null')),
    schedule_high_s      REAL CHECK (typeof(schedule_high_s) IN ('real', 'null')),
    first_s              REAL CHECK (typeof(first_s) IN ('real', 'null')),
    first_low_s          REAL CHECK (typeof(first_low_s) IN ('real', 'null')),
    first_high_s         REAL CHECK (typeof(first_high_s) IN ('real', 'null')),
    rebalance_s          REAL CHECK (typeof(rebalance_s) IN ('real', 'null')),
    rebalance_low_s      REAL CHECK (typeof(rebalance_low_s) IN ('real', 'null')),
    rebalance_high_s     REAL CHECK (typeof(rebalance_high_s) IN ('real', 'null')),
    move_s               REAL CHECK (typeof(move_s) IN ('real', 'null')),
    move_low_s           REAL CHECK (typeof(move_low_s) IN ('real', 'null')),
    move_high_s          REAL CHECK (typeof(move_high_s) IN ('real', 'null')),
    own_s                REAL CHECK (typeof(own_s) IN ('real', 'null')),
    own_low_s            REAL CHECK (typeof(own_low_s) IN ('real', 'null')),
    own_high_s           REAL CHECK (typeof(own_high_s) IN ('real', 'null')),
    PRIMARY KEY (point, environment, kind, wait)
) WITHOUT ROWID;
