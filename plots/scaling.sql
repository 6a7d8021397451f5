-- title: Time over ranks, a line for each contender; all panels have one scale
-- sweep: quick
-- rows: contender IS NOT NULL AND placement IS NULL AND (communication_s IS NOT NULL OR (kind = 'modelled' AND predicted_s IS NOT NULL))
-- rows: AND (workload, instance, kind) IN (SELECT workload, instance, kind FROM result GROUP BY 1, 2, 3 HAVING count(DISTINCT ranks) > 1)
-- apart: workload ranks mesh graph partition pattern com degree overlap
-- table: panel_times panel_rows panels
-- panel: panel
-- series: contender
-- style: style
-- data: ms
-- size: 1200x700
--
-- Of any sweep that has several numbers of ranks: nodes are ranks by what a node holds. A panel for each instance and
-- size (tables/panels.sql). A time is the geometric mean of the median times over the instances of a random pattern:
-- over those with all contenders at each number of ranks; if there is none, over all.
WITH timed AS (
    SELECT replace(replace(panel, printf(', %d ranks', ranks), ''), ', 1 rank', '')
               || coalesce(', ' || size_of || nullif(at, ''), '') AS panel,
           instance, ranks, contender, x, s
    FROM panels
    WHERE calls IS NULL AND is_empty IS NOT 1 AND s > 0
),
whole AS (
    SELECT t.panel, t.instance
    FROM timed AS t
    JOIN (SELECT panel, count(DISTINCT contender || ' ' || ranks) AS points FROM timed GROUP BY panel) AS p
        ON p.panel = t.panel
    GROUP BY t.panel, t.instance
    HAVING count(DISTINCT t.contender || ' ' || t.ranks) = max(p.points)
),
means AS (
    SELECT panel, ranks, contender, x, exp(avg(ln(s))) AS s
    FROM timed
    WHERE (panel, instance) IN (SELECT panel, instance FROM whole)
       OR panel NOT IN (SELECT panel FROM whole)
    GROUP BY panel, ranks, contender, x
)
SELECT t.panel,
       t.contender,
       t.ranks,
       told_time(t.s) AS time,
       1000 * t.s AS ms,
       c.place AS style
FROM means AS t
JOIN (SELECT panel FROM means GROUP BY panel HAVING count(DISTINCT ranks) > 1) AS p ON p.panel = t.panel
LEFT JOIN contenders AS c ON c.name = t.contender
ORDER BY t.x, t.panel COLLATE by_number, c.place IS NULL, c.place, t.contender, t.ranks;
