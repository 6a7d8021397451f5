-- title: Time over ranks, a line for each contender; all panels have one scale
-- sweep: quick
-- rows: contender IS NOT NULL AND placement IS NULL AND (communication_s IS NOT NULL OR (kind = 'modelled' AND predicted_s IS NOT NULL))
-- apart: workload ranks mesh graph partition pattern com degree overlap
-- table: panel_times panel_rows panels
-- panel: panel
-- series: contender
-- style: style
-- data: ms
-- size: 1200x700
--
-- Of any sweep that has several numbers of ranks: nodes are ranks by what a node holds. A panel for each instance and
-- size (tables/panels.sql); the mean over instances of a random pattern of the median times.
WITH timed AS (
    SELECT replace(replace(panel, printf(', %d ranks', ranks), ''), ', 1 rank', '')
               || coalesce(', ' || size_of || nullif(at, ''), '') AS panel,
           ranks, contender, x, avg(s) AS s
    FROM panels
    WHERE calls IS NULL AND is_empty IS NOT 1 AND s > 0
    GROUP BY 1, 2, 3, 4
)
SELECT t.panel,
       t.contender,
       t.ranks,
       told_time(t.s) AS time,
       1000 * t.s AS ms,
       c.place AS style
FROM timed AS t
JOIN (SELECT panel FROM timed GROUP BY panel HAVING count(DISTINCT ranks) > 1) AS p ON p.panel = t.panel
LEFT JOIN contenders AS c ON c.name = t.contender
ORDER BY t.x, t.panel COLLATE by_number, c.place IS NULL, c.place, t.contender, t.ranks;
