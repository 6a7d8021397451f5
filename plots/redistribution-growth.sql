-- title: Bhat, Prasanna, Raghavendra: processor time of their heuristic over P ranks and the factor K
-- sweep: redistribution-growth
-- rows: workload = 'redistribute' AND kind = 'measured' AND schedule = 'greedy' AND schedule_s IS NOT NULL
-- rows: AND json_extract(params, '$.factor') IS NOT NULL AND network IS NULL AND json_extract(params, '$.columns') IS NULL
-- data: value work
-- says: redistribution_growth
--
-- The time of computing the schedule once, mean over the launches; and that time over P K^2, the paper's bound.
WITH known AS (
    SELECT ranks AS p, json_extract(params, '$.factor') AS k, avg(1e6 * schedule_s) AS us
    FROM chosen
    GROUP BY p, k
)
SELECT p AS ranks,
       k AS factor,
       p * k * k AS p_k_k,
       round(us, 2) AS time_us,
       round(1000 * us / (p * k * k), 2) AS ns_each,
       us AS value,
       1.0 * p * k * k AS work
FROM known
ORDER BY work, p;
