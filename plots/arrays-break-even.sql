-- title: Arrays, measured: time saved by a new cut, %, over the iterations left after the speeds have changed
-- sweep: arrays-rebalance
-- rows: workload = 'stencil' AND kind = 'measured' AND json_extract(params, '$.speeds-after') IS NOT NULL
-- table: arrays_raced arrays_rebalances
-- panel: panel
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value low high
-- size: 1300x520
--
-- Percent of the time without cutting [at least, at most: the 95 % interval of the ratio in the races with
-- both]. It pays above 0. The prediction is the model's at the time of the cut.
WITH shown AS (
    SELECT ranks, rows, columns, decomposition, series_of, look_every, left_over, rebalance AS series,
           CASE rebalance WHEN 'after-change' THEN 1 WHEN 'when-it-pays' THEN 2 ELSE 4 END AS place,
           100 * (1 - ratio) AS value,
           100 * (1 - ratio_high) AS low,
           100 * (1 - ratio_low) AS high
    FROM arrays_rebalances
    WHERE ratio IS NOT NULL
    UNION ALL
    SELECT ranks, rows, columns, decomposition, series_of, look_every, left_over,
           rebalance || ', predicted', 3, 100 * saved_predicted_s / never_s, NULL, NULL
    FROM arrays_rebalances
    WHERE saved_predicted_s IS NOT NULL
)
SELECT printf('%d x %d, %d ranks, %s', rows, columns, ranks, decomposition) AS panel,
       left_over AS iterations,
       series,
       CASE WHEN low IS NULL THEN printf('%.1f', value)
            ELSE printf('%.1f [%.1f, %.1f]', value, low, high) END AS cell,
       value,
       low,
       high,
       place AS style
FROM shown
ORDER BY ranks, rows, columns, decomposition, series_of, look_every, place, series, left_over;
