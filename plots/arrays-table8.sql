-- title: Kaddoura, Ranka, Wang, Table 8: time to decompose an array, us (ours: processor time of the machine that the model ran on; paper: 1996)
-- sweep: arrays-tables
-- options: --modelled
-- rows: workload = 'stencil' AND kind = 'modelled' AND decomposition IN ('rb2', 'rb3', 'tile', 'xy2')
-- rows: AND json_extract(params, '$.ratio') > 1 AND json_extract(params, '$.instance') IS NULL
-- rows: AND json_extract(params, '$.edges') IS NULL
-- paper: arrays-table8
-- table: arrays_costs
-- pivot: column
-- cells: cell
-- data: value arrays
--
-- Means over the draws of all arrays and ratios of Tables 2 to 7; nonzero means latencies of 100 and 1000. Our times
-- are of dynamic programs and branch and bound, the paper's of enumeration; faster is the speed-up.
WITH ours AS (
    SELECT processors, decomposition, CASE WHEN latency > 0 THEN 'nonzero' ELSE 'zero' END AS latency,
           1e6 * sum(decompose_s * samples) / sum(samples) AS us, count(*) AS arrays
    FROM arrays_costs
    WHERE processors IN (4, 5, 7, 10, 15, 20)
    GROUP BY 1, 2, 3
),
both AS (
    SELECT o.*, 1e6 * p.seconds AS paper_us, a.place,
           printf('%s, latency %s', o.decomposition, o.latency) AS "column"
    FROM ours AS o
    JOIN decompositions AS a ON a.name = o.decomposition
    LEFT JOIN paper AS p ON p.processors = o.processors AND p.decomposition = o.decomposition
        AND p.latency = o.latency
),
rows (source, source_place) AS (
    VALUES ('ours', 1), ('paper', 2), ('faster', 3)
),
cells AS (
    SELECT b.*, r.source, r.source_place,
           CASE r.source WHEN 'ours' THEN b.us WHEN 'paper' THEN b.paper_us
                         ELSE b.paper_us / b.us END AS value
    FROM both AS b
    CROSS JOIN rows AS r
)
SELECT processors,
       source,
       "column",
       printf(CASE WHEN value < 99.5 AND source <> 'paper' THEN '%.3g' ELSE '%.0f' END, value) AS cell,
       value,
       arrays
FROM cells
WHERE value IS NOT NULL
ORDER BY processors, source_place,
         CASE decomposition WHEN 'tile' THEN 1 WHEN 'xy2' THEN 2 ELSE 2 + place END, latency;

-- says
-- Table 8 of Kaddoura, Ranka and Wang. Its times are of 1996, so its statement on prohibitive times cannot
-- be judged today. The statement that latency takes more time, because edges are counted, cannot be judged
-- either: their search counts edges, while ours uses dynamic programs and branch and bound.
WITH ours AS (
    SELECT o.processors, o."column", o.value, p.value AS paper
    FROM plotted AS o
    JOIN plotted AS p ON p.source = 'paper' AND p.processors = o.processors AND p."column" = o."column"
    WHERE o.source = 'ours'
),
-- Only the largest number of parts is spelled out.
units (unit, least, us) AS (
    VALUES ('us', 0, 1), ('ms', 1e3, 1e3), ('s', 1e6, 1e6)
),
spelled AS (
    SELECT group_concat(printf('%s %.3g us (%.3g %s)',
                               replace(replace("column", ', latency nonzero', ' with latency'),
                                       ', latency zero', ' without'),
                               value, paper / u.us, u.unit), ', ') AS sentence,
           processors
    FROM ours
    JOIN units AS u ON u.us = (SELECT max(us) FROM units WHERE paper >= least)
    WHERE processors = (SELECT max(processors) FROM ours)
      AND "column" NOT LIKE 'rb3,%'
),
latencies AS (
    SELECT n.value / z.value AS more
    FROM ours AS n
    JOIN ours AS z ON z.processors = n.processors
        AND z."column" = replace(n."column", 'latency nonzero', 'latency zero')
    WHERE n."column" LIKE '%latency nonzero'
)
SELECT 1 AS place, 'The time of the search is not prohibitive' AS claim, NULL AS holds,
       printf('not comparable: %d of %d means are at most the paper''s, of 1996; processor time for %d parts: ', total(value <= paper),
              count(*), (SELECT processors FROM spelled)) || (SELECT sentence FROM spelled)
           || '.' AS sentence
FROM ours
GROUP BY NULL HAVING count(*) > 0
UNION ALL
SELECT 2, 'Latency takes more time, as edges are counted', NULL,
       printf('not comparable: %.2f to %.2f times as much; 5 %% and more in %d of %d cells: ours is by dynamic programs '
              || 'and branch and bound.', min(more), max(more), total(more >= 1.05), count(*))
FROM latencies
GROUP BY NULL HAVING count(*) > 0
ORDER BY place;
