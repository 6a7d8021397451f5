-- title: Bhat, Prasanna, Raghavendra: processor time of their heuristic over P ranks and the factor K
-- sweep: redistribution-growth
-- rows: workload = 'redistribute' AND kind = 'measured' AND schedule = 'greedy' AND schedule_s IS NOT NULL
-- rows: AND json_extract(params, '$.factor') IS NOT NULL AND network IS NULL AND json_extract(params, '$.columns') IS NULL
-- data: value work
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

-- says
-- Bhat, Prasanna and Raghavendra, section 3: the heuristic runs in O(P K^2) time. It holds if processor
-- time grows by at most twice as much as P K^2, from its least to its greatest value. Over less than 16
-- times as much the result is unknown.
WITH ends AS (
    SELECT min(work) AS least, max(work) AS most FROM plotted
),
grown AS (
    SELECT e.*,
           (SELECT avg(value) FROM plotted WHERE work = least) AS first,
           (SELECT avg(value) FROM plotted WHERE work = most) AS last
    FROM ends AS e
)
SELECT 'measured' AS kind,
       'The heuristic runs in O(P K^2) time' AS claim,
       CASE WHEN most < 16 * least THEN NULL WHEN last / first <= 2 * most / least THEN 'yes' ELSE 'no' END AS holds,
       printf('from P K^2 = %g to %g processor time grows from %.3g to %.3g us, %.3g times, P K^2 %.3g times.',
              least, most, first, last, last / first, most / least) AS sentence
FROM grown
WHERE first > 0;
