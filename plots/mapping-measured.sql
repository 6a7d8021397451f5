-- title: Mapping, measured: communication time under each placement over the links that a byte crosses by the model
-- sweep: mapping-measured
-- rows: placement IS NOT NULL AND placement_cardinality IS NOT NULL AND communication_s IS NOT NULL
-- rows: AND kind = 'measured'
-- table: mapping_placements
-- environments: all
-- panel: panel
-- series: placement
-- data: ms low_ms high_ms links
-- says: mapping_executed
-- size: 1100x560
--
-- From the best to the worst of each problem. 'over best' has the interval that follows from those of both
-- times, and in the last row says what a placement is worth here. 'links' is how many links a byte goes over
-- on the mean, as the topology has them, and 'model' the order of the placements by it. Of the placements
-- to which the model gives other links, 'order holds' says for how many the times, intervals apart, are
-- in the model's order, and 'against' for how many in the other.
SELECT printf('%s, %d ranks, %.0f KiB', workload, ranks, bytes / 1024.0) AS panel,
       place,
       label AS placement,
       printf('%.4g (%.4g .. %.4g)', 1000 * s, 1000 * low_s, 1000 * high_s) AS 'ms (interval)',
       printf('%.2f (%.2f .. %.2f)', s / best_s, low_s / best_high_s, high_s / best_low_s)
           AS 'over best',
       printf('%.3f', links) AS 'links, modelled',
       printf('%.3g', 1e6 * latency_s) AS 'latency us, modelled',
       model_place AS model,
       printf('%d of %d', holds, differ) AS 'order holds',
       against,
       moved,
       n AS samples,
       1000 * s AS ms,
       1000 * low_s AS low_ms,
       1000 * high_s AS high_ms,
       links
FROM mapping_placements
WHERE kind = 'measured'
ORDER BY workload DESC, ranks, problem, place;
