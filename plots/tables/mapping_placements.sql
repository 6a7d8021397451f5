-- What each placement of processes on nodes came to, a row for each point of `chosen` that
-- has one, in the newest environment of each problem: problem is all of the point but the placement and its
-- seed, on one topology; label the placement,
-- with the seed where there are several. s is the time of communication with its interval, links how many
-- links a byte goes over on the mean, by the model, latency_s the model's of a message's header.
-- rm_s, rm_links and rm_latency_s are the means over the draws of rm, which the paper sets others beside.
-- differ counts the other placements to which the model gives another cardinality, holds those of them that
-- the times put in the same order, intervals apart, against those in the other.
WITH known AS (
    SELECT kind, started, environment, workload, ranks, bytes, messages, placement, seed, n,
           topology_taken, placement_moved AS moved,
           placement_cardinality AS cardinality, placement_latency_s AS latency_s,
           communication_s AS s,
           coalesce(communication_low_s, communication_s) AS low_s,
           coalesce(communication_high_s, communication_s) AS high_s,
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
pairs AS (
    SELECT a.kind, a.problem, a.placement, a.seed,
           count(*) AS differ,
           sum((a.high_s < b.low_s AND a.cardinality < b.cardinality) OR
               (a.low_s > b.high_s AND a.cardinality > b.cardinality)) AS holds,
           sum((a.high_s < b.low_s AND a.cardinality > b.cardinality) OR
               (a.low_s > b.high_s AND a.cardinality < b.cardinality)) AS against
    FROM timed AS a
    JOIN timed AS b ON b.kind = a.kind AND b.problem = a.problem
        AND abs(b.cardinality - a.cardinality) > 1e-9 * a.cardinality
    GROUP BY a.kind, a.problem, a.placement, a.seed
),
random AS (
    SELECT kind, problem, avg(s) AS s, avg(1.0 * cardinality / bytes) AS links,
           avg(latency_s) AS latency_s
    FROM timed
    WHERE placement = 'rm'
    GROUP BY kind, problem
)
SELECT t.*,
       t.placement || CASE WHEN count(*) OVER (PARTITION BY t.kind, t.problem, t.placement) > 1
                           THEN printf(' %d', t.seed) ELSE '' END AS label,
       1.0 * t.cardinality / t.bytes AS links,
       row_number() OVER best AS place,
       rank() OVER (PARTITION BY t.kind, t.problem ORDER BY t.cardinality) AS model_place,
       first_value(t.s) OVER best AS best_s,
       first_value(t.low_s) OVER best AS best_low_s,
       first_value(t.high_s) OVER best AS best_high_s,
       coalesce(p.differ, 0) AS differ,
       coalesce(p.holds, 0) AS holds,
       coalesce(p.against, 0) AS against,
       r.s AS rm_s,
       r.links AS rm_links,
       r.latency_s AS rm_latency_s
FROM timed AS t
LEFT JOIN pairs AS p ON p.kind = t.kind AND p.problem = t.problem AND p.placement = t.placement
    AND p.seed = t.seed
LEFT JOIN random AS r ON r.kind = t.kind AND r.problem = t.problem
WINDOW best AS (PARTITION BY t.kind, t.problem ORDER BY t.s, t.placement, t.seed);
