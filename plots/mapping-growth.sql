-- title: Mapping: time to place a square mesh on as many nodes, ms, and links that a message to a neighbour crosses
-- sweep: mapping-growth
-- options: --modelled
-- rows: workload = 'mapping' AND kind = 'modelled' AND json_extract(params, '$.topology') IS NULL
-- rows: AND json_extract(params, '$.layout') IS NULL AND json_extract(params, '$.ports') = 8
-- rows: AND json_extract(params, '$.nodes') = ranks AND json_extract(params, '$.routing') = 'updown'
-- rows: AND json_extract(params, '$."connectivity-of"') = 'free' AND json_extract(params, '$.connectivity') = 0.75
-- rows: AND json_extract(params, '$."per-node"') = 1
-- panel: panel
-- series: placement
-- style: style
-- pivot: placement
-- cells: cell
-- data: value style
-- size: 1200x560
-- says: mapping_growth
--
-- Processor time of the machine that ran the model, mean over the networks, without the table of distances between
-- switches, which all use; and links of a message to an adjacent process.
WITH known AS (
    SELECT placement, ranks, avg(1000 * place_s) AS ms,
           avg(cardinality / (2 * ranks - 2 * sqrt(ranks))) AS links
    FROM chosen
    GROUP BY placement, ranks
),
shown AS (
    SELECT 1 AS panel_place, 'time, ms' AS panel, placement, ranks, ms AS value FROM known
    UNION ALL
    SELECT 2, 'links of a message', placement, ranks, links FROM known
)
SELECT s.panel,
       s.ranks,
       s.placement,
       printf('%.3g', s.value) AS cell,
       s.value,
       dense_rank() OVER (ORDER BY a.place) AS style
FROM shown AS s
JOIN placements AS a ON a.name = s.placement
ORDER BY s.panel_place, a.place, s.ranks;
