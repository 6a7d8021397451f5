-- title: Redistribution: how many messages in flight? Communication, ms, over the bounds and over MPI_Alltoallv
-- sweep: redistribution-depth
-- rows: workload = 'redistribute' AND (network = 'measured' OR network LIKE '%@%')
-- rows: AND communication_s IS NOT NULL AND kind <> 'modelled'
-- environments: all
-- table: redistribution_points
-- data: kind median_ms low_ms high_ms ratio ratio_low ratio_high is_best network_taken environment
--
-- depth is the number of sends, and of receives, that a rank has in flight; 1 is the papers' premise, ac posts
-- all at once. over_single_port is the ratio to the papers' lower bound. That is not a bound if a node can do more
-- at once: below 1 the premise does not hold. ratio_to_bound is the ratio to the true lower bound. over_alltoallv
-- is the ratio to the library's call in the same race [95 % interval over its launches]; is_best marks the
-- fastest of that race (the view `standing`). Instances with streams of one depth alone are omitted.
WITH blocks AS (
    SELECT environment, ranks, instance, min(started) AS begun
    FROM redistribution_points
    GROUP BY environment, ranks, instance
    HAVING count(DISTINCT in_flight) > 1
),
-- Among several races with both, the one with the most launches.
raced_depths AS (
    SELECT p.point, p.environment, p.kind, p.wait, a.ratio, a.reach, max(a.launches) AS launches
    FROM redistribution_points AS p
    JOIN against AS a ON a.point = p.point AND a.environment = p.environment AND a.kind = p.kind AND a.wait = p.wait
    JOIN redistribution_points AS v ON v.point = a.baseline AND v.environment = p.environment AND v.kind = p.kind
        AND v.wait = p.wait AND v.contender = 'alltoallv'
    WHERE NOT a.moot
    GROUP BY p.point, p.environment, p.kind, p.wait
),
stood AS (
    SELECT point, environment, kind, wait, min(is_best) AS is_best
    FROM standing
    GROUP BY point, environment, kind, wait
)
SELECT substr(p.network_taken, 1, instr(p.network_taken, '@') + 8) AS network,
       CASE p.kind WHEN 'measured' THEN substr(p.environment, 1, 8)
                   ELSE 'simulated: ' || (SELECT json_extract(described, '$.cluster.platform') FROM environment
                                          WHERE id = p.environment) END AS machine,
       p.ranks,
       p.factor,
       round(1e-6 * p.bytes / p.messages, 3) AS message_mb,
       coalesce(replace(p.contender, ' in-flight ' || p.in_flight, ''), p.contender) AS schedule,
       p.in_flight,
       p.in_flight_taken AS taken,
       CASE WHEN p.low_s IS NULL THEN printf('%.4g', 1000 * p.s)
            ELSE printf('%.4g [%.4g, %.4g]', 1000 * p.s, 1000 * p.low_s, 1000 * p.high_s) END AS ms,
       p.n,
       round(p.s / p.lower_bound_s, 3) AS over_single_port,
       round(p.s / p.true_lower_bound_s, 3) AS ratio_to_bound,
       CASE WHEN p.contender = 'alltoallv' THEN '1'
            WHEN v.ratio IS NULL THEN NULL
            WHEN v.reach > 0 THEN printf('%.3f [%.3f, %.3f]', v.ratio, v.ratio * exp(-v.reach), v.ratio * exp(v.reach))
            ELSE printf('%.3f', v.ratio) END AS over_alltoallv,
       p.kind,
       1000 * p.s AS median_ms,
       1000 * p.low_s AS low_ms,
       1000 * p.high_s AS high_ms,
       v.ratio,
       v.ratio * exp(-v.reach) AS ratio_low,
       v.ratio * exp(v.reach) AS ratio_high,
       s.is_best,
       p.network_taken,
       p.environment
FROM blocks AS b
JOIN redistribution_points AS p ON p.environment = b.environment AND p.ranks = b.ranks
    AND p.instance = b.instance
LEFT JOIN raced_depths AS v ON v.point = p.point AND v.environment = p.environment AND v.kind = p.kind AND v.wait = p.wait
LEFT JOIN stood AS s ON s.point = p.point AND s.environment = p.environment AND s.kind = p.kind AND s.wait = p.wait
LEFT JOIN schedules AS a ON a.name = p.schedule
ORDER BY b.begun, p.environment, p.ranks, p.instance, a.place, p.schedule, p.in_flight = 'auto',
         CAST(p.in_flight AS INTEGER), p.contender;

-- says
-- The premise of Bhat, Prasanna and Raghavendra, that a node has one transfer at a time, on each network alone. It
-- fails if anything takes less than the bound that follows from it (by 1 % and more, including its interval, if
-- there is one). Longer times give no result. Races name the fastest. Then follows the value of depth, which is no
-- part of the paper.
WITH known AS (
    SELECT *, printf('%s, %s, %d ranks, K = %d', machine, network, ranks, factor) AS place,
           coalesce(high_ms, median_ms) * over_single_port / median_ms AS at_most,
           schedule || coalesce(' with ' || in_flight || ' in flight', '') AS who
    FROM plotted
    WHERE over_single_port IS NOT NULL
),
below AS (
    SELECT kind, place, message_mb, count(*) AS all_of_them, total(at_most < 0.99) AS below,
           min(over_single_port) AS least, total(is_best) AS fastest,
           group_concat(who, ', ') FILTER (WHERE is_best) AS best,
           printf('%.3f', min(ratio_to_bound) FILTER (WHERE is_best)) AS best_least,
           printf('%.3f', max(ratio_to_bound) FILTER (WHERE is_best)) AS best_most,
           min(ratio_to_bound) AS least_ratio_to_bound, min(n) AS n
    FROM (SELECT * FROM known ORDER BY schedule, CAST(in_flight AS INTEGER))
    GROUP BY kind, place, message_mb
),
depths AS (
    SELECT place, message_mb,
           group_concat(printf('%s: %.3f', in_flight, ratio_to_bound), ', ') AS sentence
    FROM (SELECT * FROM known WHERE schedule = 'greedy' AND in_flight IS NOT NULL AND in_flight <> 'auto'
          ORDER BY CAST(in_flight AS INTEGER))
    GROUP BY place, message_mb
)
SELECT kind, 'A node has one transfer at a time' AS claim,
       CASE WHEN below > 0 THEN 'no' ELSE 'yes' END AS holds,
       printf('%s: %d of %d take less than the bound that follows from it, the least %.3f of it. '
              || '%s times the lower bound%s%s.', b.place, below, all_of_them, least,
              CASE WHEN fastest = 0 THEN printf('The least is %.3f', least_ratio_to_bound)
                   ELSE iif(fastest = 1, 'Fastest is ', 'Fastest, without a significant difference, are ') || best || ', ' || best_least
                        || iif(best_least = best_most, '', ' to ' || best_most) END,
              coalesce('; greedy with that many in flight, ' || d.sentence, ''),
              CASE kind WHEN 'measured' THEN printf(' (n = %d and more)', n) ELSE '' END) AS sentence
FROM below AS b
LEFT JOIN depths AS d ON d.place = b.place AND d.message_mb IS b.message_mb
ORDER BY kind, b.place, b.message_mb;
