-- The results of each placement of processes on nodes, a row for each point of `chosen` that has one, in the newest
-- environment of each problem. problem is all of the point but the placement and its seed, on one topology; label is
-- the placement, with the seed if there are several. s is the time of communication, links the mean number of links
-- that a byte crosses by the model, latency_s the model's latency of a message's header. ratio is the time relative
-- to reference. Measured ratios are round by round in the races with both, with the interval over the launches (the
-- view ratio). noise_low .. noise_high is the ratio of the reference to itself. Placements that raced in no race
-- are omitted. Simulated times are exact; their reference is linear, else the fastest. A reference with one race for
-- each draw of rm is one row. over_best is the ratio to the fastest of the problem, with the interval of the
-- launches with both, and NULL ends without any. rm_ratio, rm_s, rm_links and rm_latency_s are the means over the
-- draws of rm, with which the paper compares the others. differ counts the other placements that have another
-- cardinality by the model and were in one race with it. holds counts those of them that the times put in the same
-- order, against those in the opposite order, if one is significantly faster (column side of the view against). low
-- and high are NULL for one launch, but 1 for the reference.
WITH known AS (
    SELECT kind, point, wait, started, environment, workload, ranks, bytes, messages, placement, seed, n,
           topology_taken, placement_moved AS moved,
           placement_cardinality AS cardinality, placement_latency_s AS latency_s,
           communication_s AS s,
           workload || ranks || coalesce(topology_taken, '') ||
               json_remove(params, '$.placement', '$.seed', '$.topology') AS problem
    FROM chosen
    WHERE communication_s IS NOT NULL
      AND placement IS NOT NULL
      AND placement_cardinality IS NOT NULL
),
timed AS (
    SELECT *
    FROM (SELECT *,
                 first_value(environment) OVER (PARTITION BY kind, problem ORDER BY started DESC)
                     AS newest
          FROM known)
    WHERE environment = newest
),
-- For each point, the race with the most launches.
verdicts AS (
    SELECT r.point, r.environment, r.wait, max(r.launches) AS launches, r.ratio,
           iif(r.contender = 'reference', 1, r.ratio_low) AS low,
           iif(r.contender = 'reference', 1, r.ratio_high) AS high,
           r.contender = 'reference' AS is_reference, b.placement AS reference,
           t.ratio_low AS noise_low, t.ratio_high AS noise_high
    FROM ratio AS r
    JOIN point AS b ON b.id = r.reference
    JOIN ratio AS t ON t.race = r.race AND t.environment = r.environment AND t.wait = r.wait
        AND t.kind = r.kind AND t.contender = 'duplicate' AND t.reference = r.reference
    WHERE r.contender <> 'duplicate'
      AND r.kind = 'measured'
      AND r.placement IS NOT NULL
    GROUP BY r.point, r.environment, r.wait
),
exact AS (
    SELECT kind, problem, s AS base_s, placement AS reference,
           row_number() OVER (PARTITION BY kind, problem ORDER BY placement <> 'linear', s, seed) AS nth
    FROM timed
    WHERE kind <> 'measured'
),
compared AS (
    SELECT t.*, coalesce(r.ratio, t.s / e.base_s) AS ratio,
           iif(t.kind = 'measured', r.low, t.s / e.base_s) AS low,
           iif(t.kind = 'measured', r.high, t.s / e.base_s) AS high, coalesce(r.reference, e.reference) AS reference,
           coalesce(r.is_reference, 0) AS is_reference, r.launches, r.noise_low, r.noise_high
    FROM timed AS t
    LEFT JOIN verdicts AS r ON r.point = t.point AND r.environment = t.environment AND r.wait = t.wait
        AND t.kind = 'measured'
    LEFT JOIN exact AS e ON e.kind = t.kind AND e.problem = t.problem AND e.nth = 1
    WHERE t.kind <> 'measured'
       OR r.ratio IS NOT NULL
),
pairs AS (
    SELECT a.kind, a.problem, a.placement, a.seed, a.point, b.point AS baseline,
           b.cardinality > a.cardinality AS is_shorter,
           abs(b.cardinality - a.cardinality) > 1e-9 * a.cardinality AS differs,
           coalesce(v.ratio, a.s / b.s) AS ratio, iif(a.kind = 'measured', v.low, a.s / b.s) AS low,
           iif(a.kind = 'measured', v.high, a.s / b.s) AS high,
           iif(a.kind = 'measured', v.side, race_side(ln(a.s / b.s), 0, tie_of(a.kind))) AS side
    FROM compared AS a
    JOIN compared AS b ON b.kind = a.kind AND b.problem = a.problem AND b.point <> a.point
    LEFT JOIN arrays_raced AS v ON v.point = a.point AND v.baseline = b.point AND v.environment = a.environment
        AND v.wait = a.wait AND a.kind = 'measured'
    WHERE a.kind <> 'measured'
       OR v.ratio IS NOT NULL
),
orders AS (
    SELECT kind, problem, placement, seed, count(*) AS differ,
           total(side = iif(is_shorter, -1, 1)) AS holds,
           total(side = iif(is_shorter, 1, -1)) AS against
    FROM pairs
    WHERE differs
    GROUP BY kind, problem, placement, seed
),
random AS (
    SELECT kind, problem, avg(s) AS s, exp(avg(ln(ratio))) AS ratio, avg(1.0 * cardinality / bytes) AS links,
           avg(latency_s) AS latency_s
    FROM compared
    WHERE placement = 'rm'
    GROUP BY kind, problem
),
once AS (
    SELECT *, row_number() OVER (PARTITION BY kind, problem, is_reference ORDER BY seed) AS nth_reference
    FROM compared
),
ranked AS (
    SELECT t.*,
           t.placement || CASE WHEN count(*) OVER (PARTITION BY t.kind, t.problem, t.placement) > 1
                               THEN printf(' %d', t.seed) ELSE '' END AS label,
           1.0 * t.cardinality / t.bytes AS links,
           row_number() OVER best AS place,
           rank() OVER (PARTITION BY t.kind, t.problem ORDER BY t.cardinality) AS model_place,
           first_value(t.ratio) OVER best AS best_ratio,
           first_value(t.point) OVER best AS best_point
    FROM once AS t
    WHERE NOT t.is_reference
       OR t.nth_reference = 1
    WINDOW best AS (PARTITION BY t.kind, t.problem ORDER BY t.ratio, t.placement, t.seed)
)
SELECT t.*,
       coalesce(v.ratio, t.ratio / t.best_ratio) AS over_best,
       iif(t.point = t.best_point, 1, v.low) AS over_best_low,
       iif(t.point = t.best_point, 1, v.high) AS over_best_high,
       coalesce(p.differ, 0) AS differ,
       coalesce(p.holds, 0) AS holds,
       coalesce(p.against, 0) AS against,
       r.s AS rm_s,
       r.ratio AS rm_ratio,
       r.links AS rm_links,
       r.latency_s AS rm_latency_s
FROM ranked AS t
LEFT JOIN pairs AS v ON v.kind = t.kind AND v.point = t.point AND v.baseline = t.best_point
LEFT JOIN orders AS p ON p.kind = t.kind AND p.problem = t.problem AND p.placement = t.placement
    AND p.seed = t.seed
LEFT JOIN random AS r ON r.kind = t.kind AND r.problem = t.problem;
