-- Indexes that queries want and collecting does not: made when all has been read for the first time,
-- since sorting once is cheaper than finding a place for each row.
CREATE INDEX IF NOT EXISTS point_by_problem ON point (workload, ranks, problem);
CREATE INDEX IF NOT EXISTS point_by_contender ON point (workload, ranks, contender);
CREATE INDEX IF NOT EXISTS run_by_point ON run (point);
-- Whose machine had other work: taking it out of the JSON of 100 000 runs is a seventh of what a figure takes.
CREATE INDEX IF NOT EXISTS run_others ON run (campaign, job, others_cpus);
-- The few runs with a traced step: looking for them would take JSON out of every run.
CREATE INDEX IF NOT EXISTS run_traced ON run (point) WHERE events_lost IS NOT NULL;
