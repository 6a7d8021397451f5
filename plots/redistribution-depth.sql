-- title: Redistribution: how many messages in flight? Communication, ms, over the bounds and over MPI_Alltoallv
-- sweep: redistribution-depth
-- rows: workload = 'redistribute' AND (network = 'measured' OR network LIKE '%@%')
-- rows: AND communication_s IS NOT NULL AND kind <> 'modelled'
-- environments: all
-- says: redistribution_depth
-- table: redistribution_points
-- data: kind median_ms low_ms high_ms ratio ratio_low ratio_high network_taken environment
--
-- depth is how many sends, and receives, a rank has in flight; 1 is the papers' premise, ac posts all at
-- once. over_single_port: times the papers' lower bound, which is none where a node can do more at once:
-- below 1 the premise does not hold there. over_bound: times what nothing can go below. over_alltoallv:
-- times the library's call on the same instance [at least, at most: the ends of both 95 % intervals].
-- Instances on which streams of one depth alone were measured are left out.
WITH blocks AS (
    SELECT environment, ranks, instance, min(started) AS begun
    FROM redistribution_points
    GROUP BY environment, ranks, instance
    HAVING count(DISTINCT depth) > 1
)
SELECT substr(p.network_taken, 1, instr(p.network_taken, '@') + 8) AS network,
       CASE p.kind WHEN 'measured' THEN substr(p.environment, 1, 8)
                   ELSE 'simulated: ' || (SELECT described ->> '$.cluster.platform' FROM environment
                                          WHERE id = p.environment) END AS machine,
       p.ranks,
       p.factor,
       round(1e-6 * p.bytes / p.messages, 3) AS message_mb,
       coalesce(replace(p.contender, ' depth ' || p.depth, ''), p.contender) AS schedule,
       p.depth,
       p.depth_taken AS taken,
       CASE WHEN p.low_s IS NULL THEN printf('%.4g', 1000 * p.s)
            ELSE printf('%.4g [%.4g %.4g]', 1000 * p.s, 1000 * p.low_s, 1000 * p.high_s) END AS ms,
       p.n,
       round(p.s / p.bound_s, 3) AS over_single_port,
       round(p.s / p.true_bound_s, 3) AS over_bound,
       CASE WHEN v.s IS NULL THEN NULL
            WHEN p.low_s IS NULL OR v.low_s IS NULL THEN printf('%.3f', p.s / v.s)
            ELSE printf('%.3f [%.3f %.3f]', p.s / v.s, p.low_s / v.high_s, p.high_s / v.low_s) END
           AS over_alltoallv,
       p.kind,
       1000 * p.s AS median_ms,
       1000 * p.low_s AS low_ms,
       1000 * p.high_s AS high_ms,
       p.s / v.s AS ratio,
       p.low_s / v.high_s AS ratio_low,
       p.high_s / v.low_s AS ratio_high,
       p.network_taken,
       p.environment
FROM blocks AS b
JOIN redistribution_points AS p ON p.environment = b.environment AND p.ranks = b.ranks
    AND p.instance = b.instance
LEFT JOIN redistribution_points AS v ON v.environment = p.environment AND v.ranks = p.ranks
    AND v.instance = p.instance AND v.contender = 'alltoallv'
LEFT JOIN schedules AS a ON a.name = p.schedule
ORDER BY b.begun, p.environment, p.ranks, p.instance, a.place, p.schedule, p.depth = 'auto',
         CAST(p.depth AS INTEGER), p.contender;
