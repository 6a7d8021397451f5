-- title: Kaddoura, Ranka, Wang, Figure 8: cost of four parts, the largest cut off and the rest cut the other way; formulas (lines), ours (points)
-- sweep: arrays-figure8
-- options: --modelled
-- rows: workload = 'stencil' AND kind = 'modelled' AND ranks = 4
-- rows: AND json_extract(params, '$.weights') = '0.4,0.3,0.2,0.1' AND json_extract(params, '$.rows') = 1000
-- rows: AND json_extract(params, '$.latency') IS NULL AND json_extract(params, '$.columns') <= 2000
-- table: arrays_forms
-- panel: measure
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value is_form
-- script: arrays-forms
-- size: 1100x560
-- says: arrays-figure5
--
-- Four parts of 40, 30, 20 and 10 %; x is n / m for an array of m rows. Where xy2 is above Figure 8's layout, tile and
-- strips find that layout.
SELECT measure,
       x,
       series,
       printf('%.6g', value) AS cell,
       value,
       is_form,
       dense_rank() OVER (ORDER BY is_form DESC, place, series) AS style
FROM arrays_forms
WHERE (figure = '8' OR (figure = '7' AND series IN ('layout (b)', 'layout (d)'))) OR series IN ('xy2', 'tile', 'strips', 'optimal')
ORDER BY measure_place, is_form DESC, place, series, x;
