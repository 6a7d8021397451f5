-- title: Redistribution: which schedules are fastest, and by how much
-- sweep: redistribution-depth
-- rows: workload = 'redistribute' AND communication_s IS NOT NULL
-- rows: AND kind <> 'modelled'
-- apart: ranks network
-- table: panel_times panel_rows panels race_pairs races verdicts winners
-- verdict: Redistribution: which schedules are fastest
--
-- A row for each layout, rank count and target (tables/winners.sql). Its races compare the whole step,
-- including packing and unpacking.
SELECT kind, panel AS layout, ranks, at AS target, best, instances, next, ratio, ratio_low, ratio_high,
       direct_ratio, ac_ratio, alltoallv_ratio, launches, noise, noise_low, noise_high, environment
FROM winners
ORDER BY kind, ranks, panel COLLATE by_number, x, size;

-- says
-- The fastest schedule of each layout (tables/verdicts.sql). redistribution-claims has the paper's
-- statements.
SELECT kind, NULL AS claim, NULL AS holds, sentence
FROM verdicts
ORDER BY kind, panel COLLATE by_number, x;
