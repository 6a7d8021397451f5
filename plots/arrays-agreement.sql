-- title: Kaddoura, Ranka, Wang, Tables 2 to 7: in how many cells our percentage is within 1, 2 and 3 points of the printed one
-- sweep: arrays-tables
-- options: --modelled
-- rows: workload = 'stencil' AND kind = 'modelled' AND decomposition IN ('rb', 'rb2', 'rb3', 'tile', 'xy', 'xy2')
-- rows: AND json_extract(params, '$.ratio') IS NOT NULL AND json_extract(params, '$.instance') IS NULL
-- paper: arrays-table2 arrays-table3 arrays-table4 arrays-table5 arrays-table6 arrays-table7
-- table: arrays_costs arrays_gains
-- says: arrays_agreement
-- verdict: Arrays: the paper's tables by its model
--
-- The printed cells are whole numbers, so each covers half a point to either side. exact: at ratio 1 nothing is drawn,
-- and our value rounds to the printed number. rms: root mean square of the differences if weights are drawn. Only the
-- file of its cells has a table's name, so tables are found by their decomposition and latency.
WITH apart AS (
    SELECT p.decomposition, p.latency, g.source, g.source_place, g.ratio,
           abs(g.percent - p.percent) AS points,
           round(g.percent) = p.percent AS is_exact
    FROM paper AS p
    JOIN arrays_gains AS g ON g.decomposition = p.decomposition AND g.latency = p.latency
        AND g.columns = p.columns AND g.ratio = p.ratio AND g.processors = p.processors
)
SELECT (decomposition = 'xy2') * 3 + CASE latency WHEN 0 THEN 2 WHEN 100 THEN 3 ELSE 4 END AS "table",
       decomposition,
       latency,
       source,
       count(*) AS cells,
       sum(points <= 1) AS within_1,
       sum(points <= 2) AS within_2,
       sum(points <= 3) AS within_3,
       printf('%.1f', sqrt(avg(CASE WHEN ratio > 1 THEN points * points END))) AS rms,
       sum(ratio = 1) AS ratio_1,
       sum(ratio = 1 AND is_exact) AS exact
FROM apart
GROUP BY decomposition, latency, source
ORDER BY decomposition, latency, source_place;
