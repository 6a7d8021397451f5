-- title: Arrays, modelled: by how many percent decompositions cost more (Acost) than the best layout in rectangles
-- sweep: arrays-gap
-- options: --modelled
-- rows: workload = 'stencil' AND kind = 'modelled' AND ranks BETWEEN 4 AND 6
-- rows: AND json_extract(params, '$.instance') IS NOT NULL AND json_extract(params, '$.latency') IS NULL
-- table: arrays_excess
-- panel: panel
-- series: decomposition
-- style: style
-- pivot: decomposition
-- cells: cell
-- data: value style x place
-- size: 1300x820
--
-- Weights are uniform in 1 .. ratio. 'mean' and 'most' describe the excess over the optimum. 'reached' is the
-- number of draws without an excess. 'pinwheels' is the number of draws in which no cut goes all the way through
-- the optimum, as in the paper's Figure 17 (a lower bound for six parts). Then follow the quantiles of the figure,
-- which are upper limits of the excess for that percentage of the draws.
WITH RECURSIVE shown AS (
    SELECT printf('%d parts of 1K x %dK, ratio %g', parts, columns / 1000, ratio) AS panel,
           decomposition, parts, columns, ratio, place, is_pinwheel, excess,
           row_number() OVER (PARTITION BY parts, columns, ratio, decomposition ORDER BY excess) AS number,
           count(*) OVER (PARTITION BY parts, columns, ratio, decomposition) AS draws
    FROM arrays_excess
    WHERE decomposition <> 'optimal'
),
steps (percent) AS (
    VALUES (0)
    UNION ALL
    SELECT percent + 5 FROM steps WHERE percent < 100
),
rows AS (
    SELECT panel, parts, columns, ratio, decomposition, place AS series_place, 1 AS place, 'mean' AS what,
           NULL AS x, avg(excess) AS value, printf('%.2f', avg(excess)) AS cell
    FROM shown
    GROUP BY panel, decomposition
    UNION ALL
    SELECT panel, parts, columns, ratio, decomposition, place, 2, 'most', NULL, max(excess),
           printf('%.2f', max(excess))
    FROM shown
    GROUP BY panel, decomposition
    UNION ALL
    SELECT panel, parts, columns, ratio, decomposition, place, 3, 'reached', NULL, sum(excess = 0),
           printf('%d of %d', sum(excess = 0), draws)
    FROM shown
    GROUP BY panel, decomposition
    UNION ALL
    SELECT panel, parts, columns, ratio, decomposition, place, 4, 'pinwheels', NULL, sum(is_pinwheel),
           printf('%d of %d', sum(is_pinwheel), draws)
    FROM shown
    GROUP BY panel, decomposition
    UNION ALL
    SELECT s.panel, s.parts, s.columns, s.ratio, s.decomposition, s.place, 5 + t.percent,
           printf('%d %% of draws', t.percent), t.percent, s.excess, printf('%.2f', s.excess)
    FROM shown AS s
    JOIN steps AS t ON s.number = max(1, (t.percent * s.draws + 99) / 100)
)
SELECT panel,
       what,
       decomposition,
       cell,
       value,
       dense_rank() OVER (ORDER BY series_place) AS style,
       x,
       place
FROM rows
ORDER BY parts, columns, ratio, series_place, place;
