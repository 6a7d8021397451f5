-- title: Exchange: which schedules are fastest, and by how much
-- sweep: exchange-table5
-- rows: workload = 'exchange' AND placement IS NULL AND communication_s IS NOT NULL AND NOT coalesce(overlap, 0)
-- rows: AND kind <> 'modelled'
-- apart: ranks mesh graph partition pattern com degree network
-- table: panel_times panel_rows panels race_pairs races verdicts winners
-- says: quick
-- verdict: Exchange: which schedules are fastest
--
-- A row for each pattern, rank count and item size (tables/winners.sql).
SELECT w.kind, w.panel AS instance, w.ranks, w.at AS size, w.best, w.instances, w.next, w.ratio, w.ratio_low,
       w.ratio_high, w.ac_ratio, w.alltoallv_ratio, w.launches, w.noise, w.noise_low,
       w.noise_high, w.environment
FROM winners AS w
ORDER BY w.kind, w.ranks, w.panel COLLATE by_number, w.x, w.size;
