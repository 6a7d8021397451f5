-- title: Arrays, measured: when a new cut pays after the speeds have changed, time of a run without and with it
-- sweep: arrays-rebalance
-- rows: workload = 'stencil' AND kind = 'measured' AND json_extract(params, '$.speeds-after') IS NOT NULL
-- table: arrays_raced arrays_rebalances
-- data: never_median_ms median_ms saved_median_ms saved_low_ms saved_high_ms environment
-- says: arrays_rebalances
--
-- Times are for the iterations left after the change of speeds. 'as long' is the ratio to never, round by round in the
-- races with both, with its 95 % interval over the launches. The saving follows from it [at least, at most]. Next to it
-- is the model's prediction at the time of the cut, by the measured rates (mean of samples). It pays if it is
-- significantly faster than never (column side of the view against), and costs if it is significantly slower; without a
-- race against never there is no verdict. 'cuts' is the number of cuts, mean of samples. 'cutting' is the time of
-- looking, cutting and moving. 'break-even' is the number of iterations after which a cut has paid for itself.
SELECT printf('%d x %d', rows, columns) AS array,
       ranks,
       decomposition,
       schedule,
       left_over AS iterations,
       rebalance,
       CASE WHEN never_low_s IS NULL THEN printf('%.4g', 1000 * never_s)
            ELSE printf('%.4g [%.4g, %.4g]', 1000 * never_s, 1000 * never_low_s,
                        1000 * never_high_s) END AS never_ms,
       CASE WHEN step_low_s IS NULL THEN printf('%.4g', 1000 * step_s)
            ELSE printf('%.4g [%.4g, %.4g]', 1000 * step_s, 1000 * step_low_s,
                        1000 * step_high_s) END AS ms,
       CASE WHEN ratio IS NULL THEN NULL
            WHEN ratio_low IS NULL THEN printf('%.3fx', ratio)
            ELSE printf('%.3fx [%.3f, %.3f]', ratio, ratio_low, ratio_high) END AS ratio,
       CASE WHEN saved_s IS NULL THEN NULL
            WHEN saved_low_s IS NULL THEN printf('%.3g', 1000 * saved_s)
            ELSE printf('%.3g [%.3g, %.3g]', 1000 * saved_s, 1000 * saved_low_s,
                        1000 * saved_high_s) END AS saved_ms,
       round(1000 * saved_predicted_s, 2) AS predicted_ms,
       CASE WHEN rebalances = 0 THEN 'not cut'
            WHEN ratio IS NULL THEN 'no race'
            WHEN side = -1 THEN 'pays'
            WHEN side = 1 THEN 'costs'
            ELSE 'unclear' END AS verdict,
       round(rebalances, 2) AS cuts,
       round(1000 * cut_s, 3) AS cutting_ms,
       round(1000 * cut_predicted_s, 3) AS predicted_cutting_ms,
       round(1e-6 * moved_bytes, 3) AS moved_mb,
       round(even, 1) AS break_even,
       round(even_predicted, 1) AS predicted_break_even,
       n,
       1000 * never_s AS never_median_ms,
       1000 * step_s AS median_ms,
       1000 * saved_s AS saved_median_ms,
       1000 * saved_low_s AS saved_low_ms,
       1000 * saved_high_s AS saved_high_ms,
       environment
FROM arrays_rebalances
ORDER BY ranks, rows, columns, series_of, decomposition, look_every, left_over, rebalance;
