-- title: Arrays, measured: speed-up of an iteration over grid (equal parts), by the ratio of the ranks' speeds
-- sweep: arrays-measured
-- rows: workload = 'stencil' AND kind = 'measured' AND decomposition IS NOT NULL AND step_s IS NOT NULL
-- rows: AND placement IS NULL AND json_extract(params, '$.speeds-after') IS NULL
-- table: arrays_raced arrays_measured
-- panel: panel
-- series: decomposition
-- style: style
-- pivot: decomposition
-- cells: cell
-- data: gain gain_low gain_high speeds n
-- size: 1200x800
--
-- Medians, with the ends of both intervals: at least and at most.
SELECT ranks || ' ranks, ' || array AS panel,
       ratio,
       decomposition,
       CASE WHEN gain_low IS NULL THEN printf('%.2f', gain)
            ELSE printf('%.2f [%.2f, %.2f]', gain, gain_low, gain_high) END AS cell,
       gain,
       gain_low,
       gain_high,
       speeds,
       n,
       dense_rank() OVER (ORDER BY place) AS style
FROM arrays_measured
WHERE gain IS NOT NULL
  AND decomposition <> 'grid'
ORDER BY ranks, array_rows * array_columns, array, place, ratio, problem;
