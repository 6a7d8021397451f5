-- nuce's database. The record files are the truth: everything here can be collected from them again,
-- and is, where this file or views.sql changes (their hash is the user_version). Times of day are UTC
-- (ISO 8601); quantities ending in _s are seconds. NULL is unknown or not applicable.

-- One sweep submitted once. A campaign known only from its records has NULL beside its id.
CREATE TABLE campaign (
    id           TEXT PRIMARY KEY,
    name         TEXT,
    created      TEXT,
    workload     TEXT,
    sweep_sha256 TEXT,
    points       INTEGER,
    launches     INTEGER    -- of each, that were asked for
) STRICT;

-- Everything that describes where a run ran. id is the SHA-256 of described; '{}' is what runs
-- have whose job record is lost. buffer_bytes is the queue in front of each port, which drops what exceeds it,
-- as a file that describes the cluster says it.
CREATE TABLE environment (
    id           TEXT PRIMARY KEY CHECK (length(id) = 64),
    described    TEXT NOT NULL CHECK (json_valid(described)),
    buffer_bytes INTEGER GENERATED ALWAYS AS (iif(json_type(described, '$.cluster.buffer_bytes') = 'integer',
                                                  described ->> '$.cluster.buffer_bytes', NULL)) VIRTUAL
) STRICT;

-- One launch. It is known by its campaign and its name: Slurm's ids, which name jobs, are those of
-- one cluster, and wrap. facts hold for it only: hosts, known Slurm variables, placement of ranks,
-- and where nodes have clocks of their own how long it took to synchronise them.
-- NULL: lost. A job that ended before a rank was started has no run, and says why: facts ->> '$.failed'.
CREATE TABLE job (
    campaign    TEXT NOT NULL REFERENCES campaign (id),
    id          TEXT NOT NULL,
    environment TEXT NOT NULL REFERENCES environment (id),
    facts       TEXT CHECK (facts IS NULL OR json_valid(facts)),
    PRIMARY KEY (campaign, id)
) STRICT;

-- One workload, instance and rank count, and one value each of schedule, decomposition and placement,
-- NULL where the workload has none. id is the SHA-256 of the canonical form. Points of one problem are
-- compared by decomposition where they have one, else by schedule, else by placement (the option that
-- is NUCE_OPTION_COMPARED in the workload). contender is what is compared, with what tunes it, as figures
-- name it ("greedy depth 4"); problem is the parameters without either.
CREATE TABLE point (
    id            TEXT PRIMARY KEY CHECK (length(id) = 64),
    workload      TEXT NOT NULL,
    ranks         INTEGER NOT NULL,
    params        TEXT NOT NULL CHECK (json_valid(params)),
    schedule      TEXT GENERATED ALWAYS AS (json_extract(params, '$.schedule')) STORED,
    decomposition TEXT GENERATED ALWAYS AS (json_extract(params, '$.decomposition')) STORED,
    placement     TEXT GENERATED ALWAYS AS (json_extract(params, '$.placement')) STORED,
    contender     TEXT GENERATED ALWAYS AS (coalesce(
        json_extract(params, '$.decomposition'),
        json_extract(params, '$.schedule')
        || coalesce(' lambda ' || json_extract(params, '$.lambda'), '')
        || coalesce(' tau/phi ' || (json_extract(params, '$.tau') / json_extract(params, '$.phi')), '')
        || coalesce(' depth ' || nullif(json_extract(params, '$.depth'), 1), '')
        || coalesce(' radix ' || json_extract(params, '$.radix'), '')
        || coalesce(' nodes of ' || json_extract(params, '$."node-ranks"'), '')
        || coalesce(' leaders ' || json_extract(params, '$.leaders'), '')
        || coalesce(' groups of ' || json_extract(params, '$."group-ranks"'), '')
        || coalesce(' groups by ' || json_extract(params, '$."group-topology"'), '')
        || coalesce(' window ' || nullif(json_extract(params, '$.window'), 32), '')
        || coalesce(' within ' || json_extract(params, '$.within'), '')
        || coalesce(' between ' || json_extract(params, '$.between'), '')
        || coalesce(' of ' || json_extract(params, '$.choices'), '')
        || coalesce(' reuse ' || json_extract(params, '$.reuse'), '')
        || iif(json_extract(params, '$.upkeep') = 'repair', ' repaired', ''),
        json_extract(params, '$.placement'))) VIRTUAL,
    problem       TEXT GENERATED ALWAYS AS (CASE
        WHEN json_extract(params, '$.decomposition') IS NOT NULL
        THEN json_remove(params, '$.decomposition')
        WHEN json_extract(params, '$.schedule') IS NOT NULL
        THEN json_remove(params, '$.schedule', '$.lambda', '$.tau', '$.phi', '$.depth', '$.radix', '$."node-ranks"', '$.leaders', '$."group-ranks"', '$."group-topology"', '$.window', '$.within', '$.between', '$.choices', '$.reuse', '$.upkeep')
        ELSE json_remove(params, '$.placement') END) VIRTUAL
) STRICT;

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
-- database in whatever order they come, and a run is found by its hash without an index of it. The
-- columns from `point` to `min_samples` are nuce_record_fields.
CREATE TABLE run (
    id                  INTEGER PRIMARY KEY,
    hash                TEXT NOT NULL,          -- SHA-256 of the record's line
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
    heat                TEXT,
    compared            TEXT CHECK (compared IS NULL OR json_valid(compared)),
    order_seed          INTEGER,
    criterion           TEXT,                   -- the part of a step that is compared: step, communication
    sync                TEXT,                   -- how ranks began a turn together: barrier or window
    batch               INTEGER,                -- steps of a turn, whose time was divided by it
    late_rounds         INTEGER,                -- that did not count: a rank was not ready in its window
    skew_s              REAL,                   -- how far apart ranks began, over the heat's turns: median
    skew_high_s         REAL,                   -- and 95 % quantile
    sync_residual_s     REAL,                   -- what clocks were off by after the rounds
    sync_error_s        REAL,                   -- and what that is known to
    too_short           INTEGER,                -- 1: a turn took no longer than its start is known to
    wait                TEXT,
    oversubscribed      INTEGER,
    min_samples         INTEGER,                -- how many samples were wanted at least
    -- What it found, as its workload declares: name -> value; what is not there is unknown. views.sql
    -- gives names to what is often read; of the rest: found ->> '$.NAME'.
    found               TEXT NOT NULL CHECK (json_valid(found)),
    predicted_s         REAL GENERATED ALWAYS AS (found ->> '$.predicted_s') VIRTUAL,
    bound_s             REAL GENERATED ALWAYS AS (found ->> '$.bound_s') VIRTUAL,
    -- Of the traced step, whose transfers are in `event`: how many had no room, and how well the
    -- clocks of its ranks are known. NULL: no step was traced. The network of planned_event.
    events_lost         INTEGER GENERATED ALWAYS AS (found ->> '$.events_lost') VIRTUAL,
    clock_error_s       REAL GENERATED ALWAYS AS (found ->> '$.clock_error_s') VIRTUAL,
    planned_network     TEXT GENERATED ALWAYS AS (found ->> '$.planned_network') VIRTUAL,
    -- Of found once more, as it is asked of each run: how many processors others kept busy while its heat ran.
    others_cpus         REAL,
    samples             INTEGER NOT NULL,       -- how many it has
    step_s              REAL,                   -- medians of its samples
    pack_s              REAL,
    communication_s     REAL,
    unpack_s            REAL,
    computation_s       REAL,
    rebalance_s         REAL,
    move_s              REAL,
    own_s               REAL,
    FOREIGN KEY (campaign, job) REFERENCES job (campaign, id)
) STRICT;
CREATE INDEX run_by_job ON run (campaign, job);

-- The samples of a run in one row, as JSON: for each an array of seconds, the parts of the step in the
-- order of nuce_record_sample_parts, null for a part that was not timed. The view `sample` has
-- a row for each.
CREATE TABLE sampled (
    run    INTEGER PRIMARY KEY REFERENCES run (id),
    times  TEXT NOT NULL,
    places TEXT                     -- JSON: an integer a sample, its turn in its round of the heat
) STRICT;

-- The same of the twin of a heat's reference: round by round beside the run's own samples it
-- is the noise of the heat. The view `round_ratio` sets both beside each other.
CREATE TABLE twin (
    run    INTEGER PRIMARY KEY REFERENCES run (id),
    times  TEXT NOT NULL,
    places TEXT NOT NULL
) STRICT;

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

-- The same transfers by the cost model, on the network planned_network. forward: what of a send are parts of others'
-- messages, with the send's peer, phase and times.
CREATE TABLE planned_event (
    run       INTEGER NOT NULL REFERENCES run (id),
    rank      INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    peer      INTEGER NOT NULL,
    direction TEXT NOT NULL CHECK (direction IN ('send', 'receive', 'forward')),
    phase     INTEGER NOT NULL,
    bytes     INTEGER NOT NULL,
    start_s   REAL NOT NULL,
    end_s     REAL NOT NULL,
    PRIMARY KEY (run, rank, number)
) STRICT, WITHOUT ROWID;

-- Networks that runs measured: startup and bandwidth of every ordered pair with their standard errors
-- (NULL: none can be given), what the ports of ranks carry at most (NULL: no limit was seen; a rank
-- without a row was not tried), and how the throughput of a rank grows with its partners: relative to
-- one, and how many times as fast as one message after another, out and in.
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

-- The parts of a decomposed array, in cells, where there was one array.
CREATE TABLE rectangle (
    run          INTEGER NOT NULL REFERENCES run (id),
    owner        INTEGER NOT NULL,
    first_row    REAL NOT NULL,
    first_column REAL NOT NULL,
    rows         REAL NOT NULL,
    columns      REAL NOT NULL,
    PRIMARY KEY (run, owner)
) STRICT, WITHOUT ROWID;

-- How fast each rank swept, cells per second, with the interval of the median.
CREATE TABLE speed (
    run    INTEGER NOT NULL REFERENCES run (id),
    rank   INTEGER NOT NULL,
    median REAL NOT NULL,
    low    REAL NOT NULL,
    high   REAL NOT NULL,
    PRIMARY KEY (run, rank)
) STRICT, WITHOUT ROWID;

-- A network of switches where one is drawn: the switches, with their level and parent in the tree that
-- routes go by and their place in a walk of it, the links between them, and the switch of each
-- process, with its place in the mesh.
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

-- Derived by collect: what one launch says of a contender and its heat's reference, which had one turn
-- each in every round. ratio is the median over those rounds of the one's time over the other's, of the
-- part that its workload compares, and low .. high its 95 % interval (NULL: too few rounds for one), in
-- which nothing of what another launch would show is. The reference's own row is that of its twin.
CREATE TABLE raced (
    run       INTEGER PRIMARY KEY REFERENCES run (id),
    reference INTEGER NOT NULL REFERENCES run (id),
    rounds    INTEGER NOT NULL,
    ratio     REAL NOT NULL,
    low       REAL,
    high      REAL
) STRICT;

-- Derived by collect from runs that ended ok, and from nothing else: what a point gave, a row for
-- each environment, kind and wait policy, which are never pooled ('': the record does not say).
-- Each quantity NAME has a 95 % confidence interval. Of the parts of the step (nuce_record_sample_parts) it
-- is, of one run, the median of its samples with the interval of order statistics, which knows of that
-- launch alone; of several runs the geometric mean of their medians, with the interval that Student's t
-- gives over them (kernels/support/race_ratio.h). What happens once a run (index, gather, schedule, first) is
-- a median over the runs; fewer than six values have no such interval: its ends are NULL. n counts samples;
-- latest is the run that started last.
CREATE TABLE outcome (
    point                TEXT NOT NULL REFERENCES point (id),
    environment          TEXT NOT NULL REFERENCES environment (id),
    kind                 TEXT NOT NULL,
    wait                 TEXT NOT NULL,
    runs                 INTEGER NOT NULL,
    latest               INTEGER NOT NULL REFERENCES run (id),
    n                    INTEGER NOT NULL,
    too_short            INTEGER,                -- 1: a step was too short to tell in more than half of the runs
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
    rebalance_s          REAL,
    rebalance_low_s      REAL,
    rebalance_high_s     REAL,
    move_s               REAL,
    move_low_s           REAL,
    move_high_s          REAL,
    own_s                REAL,
    own_low_s            REAL,
    own_high_s           REAL,
    PRIMARY KEY (point, environment, kind, wait)
) STRICT, WITHOUT ROWID;
