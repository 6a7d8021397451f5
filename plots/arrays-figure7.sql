-- title: Kaddoura, Ranka, Wang, Figure 7: cost of parts of 40, 30, 20 and 10 % over the shape of the array; formulas (lines), ours (points)
-- sweep: arrays-figure7
-- rows: workload = 'stencil' AND kind = 'modelled' AND ranks = 4
-- rows: AND params ->> '$.weights' = '0.4,0.3,0.2,0.1' AND params ->> '$.rows' = 1000
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
-- x is n / m of an array of m rows. xy2 is the least of these layouts in Acost; where optimal is
-- below them it is Figure 8.
SELECT measure,
       x,
       series,
       printf('%.6g', value) AS cell,
       value,
       is_form,
       dense_rank() OVER (ORDER BY is_form DESC, place, series) AS style
FROM arrays_forms
WHERE figure IN ('7') OR series IN ('slabs', 'xy2', 'optimal')
ORDER BY measure_place, is_form DESC, place, series, x;
