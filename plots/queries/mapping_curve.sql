-- rows: workload = 'mapping' AND kind = 'modelled' AND json_extract(params, '$.switches') = 75
-- rows: AND json_extract(params, '$.ports') = 8 AND json_extract(params, '$.nodes') = 256
-- rows: AND json_extract(params, '$.connectivity') = 0.75 AND json_extract(params, '$.routing') = 'updown'
-- rows: AND json_extract(params, '$."per-node"') = 1 AND json_extract(params, '$.layout') IS NULL
-- rows: AND json_extract(params, '$.mesh') IN ('4x4', '8x8', '12x12', '16x16')
-- table: mapping_means
-- panel: panel
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value low high networks ranks style
-- size: 1200x860
--
-- The measure with the name `word`, over the meshes: mapping_means and the paper's printed values, a row for each point
-- of a curve. A panel is a reading of the connectivity and a quantity: the measure itself, or its saving against rm.
WITH rows AS (
    SELECT measure, links, ranks, mesh, 1 AS panel_place,
           CASE measure WHEN 'cardinality' THEN 'weighted cardinality'
                        ELSE 'latency, us' END AS shown,
           placement AS series, placement, place, mean AS value, low, high, networks
    FROM mapping_means
    UNION ALL
    SELECT measure, links, ranks, mesh, 2, 'saved relative to rm, %', placement, placement, place, saved,
           saved_low, saved_high, networks
    FROM mapping_means
    WHERE placement <> 'rm'
    UNION ALL
    SELECT m.measure, m.links, m.ranks, p.mesh, 2, 'saved relative to rm, %', p.placement || ', paper',
           p.placement, m.place + 1000, p.percent, NULL, NULL, NULL
    FROM paper AS p
    JOIN mapping_means AS m ON m.measure = CAST(p.measure AS TEXT) AND m.mesh = p.mesh
        AND m.placement = p.placement
),
curves AS (
    SELECT measure, links, ranks, mesh, panel_place, shown, series, placement, place, value, low, high,
           networks,
           dense_rank() OVER (ORDER BY place % 1000) AS style,
           CASE WHEN series LIKE '%, paper' THEN printf('%.0f', value)
                WHEN low IS NULL THEN printf('%.4g', value)
                WHEN panel_place = 2 THEN printf('%.1f [%.1f, %.1f]', value, low, high)
                WHEN measure = 'cardinality' THEN printf('%.0f [%.0f, %.0f]', value, low, high)
                ELSE printf('%.3f [%.3f, %.3f]', value, low, high) END AS cell
    FROM rows
)
SELECT printf('%s, %d links', shown, links) AS panel,
       mesh,
       series,
       cell,
       value,
       low,
       high,
       networks,
       ranks,
       style
FROM curves
WHERE measure IN word
ORDER BY panel_place, links DESC, place, ranks;
