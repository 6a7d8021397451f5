-- Tables 2 to 7: the saving of a decomposition against rb2's mean cost in percent, with edges counted
-- exactly. For tile it is also given with naive counting, where corners of four parts count as two.
-- All arrays have 1000 rows.
WITH ours AS (
    SELECT c.columns, c.ratio, c.processors, c.decomposition, c.latency, c.samples,
           CASE c.edges WHEN 'naive' THEN 'naive edges' ELSE 'ours' END AS source,
           CASE c.edges WHEN 'naive' THEN 2 ELSE 1 END AS source_place,
           100 * (b.cost - c.cost) / b.cost AS percent
    FROM arrays_costs AS c
    JOIN arrays_costs AS b ON b.decomposition = 'rb2' AND b.rows = c.rows AND b.columns = c.columns
        AND b.ratio = c.ratio AND b.processors = c.processors AND b.latency = c.latency
        AND b.edges = c.edges
    WHERE c.decomposition IN ('tile', 'xy2')
      AND (c.edges = 'exact' OR c.decomposition = 'tile')
      AND c.rows = 1000
)
SELECT columns, ratio, processors, decomposition, latency, source, source_place, percent, samples,
       -- Rounding errors would print as -0.0.
       printf('%.1f', CASE WHEN abs(percent) < 0.05 THEN 0.0 ELSE percent END) AS cell
FROM ours
