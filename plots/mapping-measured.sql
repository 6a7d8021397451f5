-- title: Mapping, measured: communication time under each placement over the links that a byte crosses by the model
-- sweep: mapping-measured
-- rows: placement IS NOT NULL AND placement_cardinality IS NOT NULL AND communication_s IS NOT NULL
-- rows: AND kind = 'measured'
-- table: arrays_raced mapping_placements
-- environments: all
-- panel: panel
-- series: placement
-- cells: interval
-- heads: interval ratio [95 %]
-- data: ratio ratio_low ratio_high noise_low noise_high links
-- says: mapping_executed
-- size: 1100x560
--
-- Sorted from best to worst in each problem, by the ratio to the reference of their races, round by round, with its 95
-- % interval over the launches. 'noise' is the ratio of the reference to itself. 'over best' is the ratio to the
-- best, and in the last row shows the value of a good placement here; one launch has no interval. 'links' is the mean
-- number of links that a byte crosses in the topology, and 'model' the order of the placements by it. 'order holds'
-- counts placements that are significantly in the model's order, among those in one race with this one and with other
-- links by the model; 'against' counts those in the opposite order.
SELECT printf('%s, %d ranks, %.0f KiB', workload, ranks, bytes / 1024.0) AS panel,
       place,
       label AS placement,
       printf('%.4g', 1000 * s) AS ms,
       CASE WHEN is_reference THEN '1 (reference)'
            ELSE told_ratio(ratio, low, high) END AS interval,
       told_ratio(over_best, over_best_low, over_best_high) AS 'over best',
       CASE WHEN noise_low IS NULL THEN 'one launch'
            ELSE printf('[%.2f, %.2f]', noise_low, noise_high) END AS noise,
       printf('%.3f', links) AS 'links, modelled',
       printf('%.3g', 1e6 * latency_s) AS 'latency us, modelled',
       model_place AS model,
       printf('%d of %d', holds, differ) AS 'order holds',
       against,
       moved,
       n AS samples,
       ratio,
       low AS ratio_low,
       high AS ratio_high,
       noise_low,
       noise_high,
       links
FROM mapping_placements
WHERE kind = 'measured'
ORDER BY workload DESC, ranks, problem, place;
