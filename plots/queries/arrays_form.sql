-- table: arrays_forms
-- panel: measure
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value is_form
-- size: 1100x560
-- says: arrays_forms
--
-- The formulas of the paper's figure with the number `word`, and the decompositions that use them.
SELECT measure,
       x,
       series,
       printf('%.6g', value) AS cell,
       value,
       is_form,
       dense_rank() OVER (ORDER BY is_form DESC, place, series) AS style
FROM arrays_forms
WHERE figure IN word OR series IN word
ORDER BY measure_place, is_form DESC, place, series, x;
