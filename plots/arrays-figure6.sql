-- title: Kaddoura, Ranka, Wang, Figure 6: cost of parts of 50, 30 and 20 % over the shape of the array; formulas (lines), ours (points)
-- sweep: arrays-figure6
-- rows: workload = 'stencil' AND kind = 'modelled' AND ranks = 3
-- rows: AND params ->> '$.weights' = '0.5,0.3,0.2' AND params ->> '$.rows' = 1000
-- rows: AND params ->> '$.latency' IS NULL
-- table: arrays_forms
-- panel: measure
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value is_form
-- script: arrays-forms
-- size: 1100x560
-- says: arrays_forms
--
-- x is n / m of an array of m rows. The decompositions make Acost least: layout (a), and from
-- n / m = 1 / (a2 + a3) = 2 on layout (c), which slabs always is; their Bcost is what that gives.
SELECT measure,
       x,
       series,
       printf('%.6g', value) AS cell,
       value,
       is_form,
       dense_rank() OVER (ORDER BY is_form DESC, place, series) AS style
FROM arrays_forms
WHERE figure IN ('6') OR series IN ('slabs', 'xy2', 'tile', 'optimal')
ORDER BY measure_place, is_form DESC, place, series, x;
