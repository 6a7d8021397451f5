-- title: Arrays: time to decompose 1K x 2K cells over the number of parts, us (ours: processor time; paper: Table 8, 1996)
-- sweep: arrays-growth
-- options: --modelled
-- rows: workload = 'stencil' AND kind = 'modelled' AND json_extract(params, '$.instance') IS NULL
-- rows: AND json_extract(params, '$.ratio') = 4 AND json_extract(params, '$.edges') IS NULL
-- rows: AND json_extract(params, '$.rows') = 1000 AND json_extract(params, '$.columns') = 2000
-- rows: AND coalesce(json_extract(params, '$.latency'), 0) IN (0, 100)
-- rows: AND decomposition IN ('rb2', 'xy2', 'tile', 'strips')
-- paper: arrays-table8
-- table: arrays_costs
-- panel: panel
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: us panel
-- size: 1100x560
--
-- Processor time of the machine that ran the model, mean over the draws. xy2 is O(p log p) at latency 0, else O(p^2);
-- tile and strips are searches.
WITH known AS (
    SELECT processors, latency, decomposition, decomposition AS series, place, 1e6 * decompose_s AS us
    FROM arrays_costs
    JOIN decompositions ON name = decomposition
    UNION ALL
    SELECT p.processors, CASE p.latency WHEN 'zero' THEN 0 ELSE 100 END, p.decomposition,
           p.decomposition || ', paper', a.place + 1000, 1e6 * p.seconds
    FROM paper AS p
    JOIN decompositions AS a ON a.name = p.decomposition
    WHERE p.decomposition <> 'rb3'
)
SELECT printf('latency %g', latency) AS panel,
       latency,
       processors,
       series,
       printf(CASE WHEN us < 99.5 THEN '%.3g' ELSE '%.0f' END, us) AS cell,
       us,
       dense_rank() OVER (ORDER BY CASE decomposition WHEN 'rb2' THEN 1 WHEN 'xy2' THEN 2 WHEN 'tile' THEN 3
                                   ELSE 4 END) AS style
FROM known
ORDER BY latency, place, processors;
