-- rows: workload = 'mapping' AND kind = 'modelled' AND json_extract(params, '$.switches') = 75
-- rows: AND json_extract(params, '$.ports') = 8 AND json_extract(params, '$.nodes') = 256
-- rows: AND json_extract(params, '$.connectivity') = 0.75 AND json_extract(params, '$.routing') = 'updown'
-- rows: AND json_extract(params, '$."per-node"') = 1 AND json_extract(params, '$.layout') IS NULL
-- rows: AND json_extract(params, '$.mesh') IN ('4x4', '8x8', '12x12', '16x16')
-- table: mapping_means mapping_curves
-- panel: panel
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value low high networks ranks style
-- size: 1200x860
--
-- The measure with the name `word`, over the meshes.
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
FROM mapping_curves
WHERE measure IN word
ORDER BY panel_place, links DESC, place, ranks;
