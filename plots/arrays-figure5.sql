-- title: Kaddoura, Ranka, Wang, Figure 5: cost of two parts over the shape of the array; formulas (lines), our decompositions (points)
-- sweep: arrays-figure5
-- rows: workload = 'stencil' AND kind = 'modelled' AND ranks = 2
-- rows: AND params ->> '$.weights' = '0.6,0.4' AND params ->> '$.rows' = 1000
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
-- x is n / m of an array of m rows. The decompositions make Acost least: that is layout (a).
SELECT measure,
       x,
       series,
       printf('%.6g', value) AS cell,
       value,
       is_form,
       dense_rank() OVER (ORDER BY is_form DESC, place, series) AS style
FROM arrays_forms
WHERE figure IN ('5') OR series IN ('slabs', 'xy2', 'tile', 'optimal')
ORDER BY measure_place, is_form DESC, place, series, x;
