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
-- says: arrays_times
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
