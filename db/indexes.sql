-- Indexes for queries, which collecting does not need. They are made when all records have been read for the
-- first time, because sorting once is cheaper than finding a place for each row.
CREATE INDEX IF NOT EXISTS point_by_problem ON point (workload, ranks, problem);
CREATE INDEX IF NOT EXISTS point_by_contender ON point (workload, ranks, contender);
CREATE INDEX IF NOT EXISTS run_by_point ON run (point);
-- For load of other processes: reading it from the JSON of 100 000 runs takes a seventh of a figure's time.
CREATE INDEX IF NOT EXISTS run_others ON run (campaign, job, others_cpus);
-- The few runs with a traced step: a search would read the JSON of every run.
CREATE INDEX IF NOT EXISTS run_traced ON run (point) WHERE events_lost IS NOT NULL;
