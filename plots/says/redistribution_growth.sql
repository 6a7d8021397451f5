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
