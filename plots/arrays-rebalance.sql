-- title: Arrays, measured: when a new cut pays after the speeds have changed, time of a run without and with it
-- sweep: arrays-rebalance
-- rows: workload = 'stencil' AND kind = 'measured' AND json_extract(params, '$.speeds-after') IS NOT NULL
-- table: arrays_raced arrays_rebalances
-- data: never_median_ms median_ms saved_median_ms saved_low_ms saved_high_ms environment
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

-- says
-- The value of cutting an array again when speeds change, which is not the paper's: a sentence for each
-- array and rule of deciding. It pays if it is significantly faster than never, round by round in the
-- races with both, and by more than the noise's reach. Contenders that did not race are not counted.
WITH known AS (
    SELECT *, row_number() OVER (PARTITION BY array, ranks, decomposition, schedule, rebalance
                                 ORDER BY iterations DESC) AS nth
    FROM plotted
    WHERE verdict <> 'no race'
),
counted AS (
    SELECT array, ranks, decomposition, schedule, rebalance, count(*) AS points,
           total(verdict = 'pays') AS pays, total(verdict = 'costs') AS costs,
           total(verdict = 'not cut') AS never_cut,
           min(CASE verdict WHEN 'pays' THEN iterations END) AS pays_from,
           max(CASE verdict WHEN 'costs' THEN iterations END) AS costs_to,
           min(break_even) AS least, max(break_even) AS most,
           min(predicted_break_even) AS predicted_least, max(predicted_break_even) AS predicted_most,
           max(iterations) AS iterations, min(n) AS n,
           max(CASE nth WHEN 1 THEN 100 * saved_median_ms / never_median_ms END) AS percent,
           max(CASE nth WHEN 1 THEN saved_median_ms END) AS saved_ms,
           max(CASE nth WHEN 1 THEN printf(' [%.4g, %.4g]', iif(saved_median_ms < 0, -saved_high_ms, saved_low_ms),
                                       iif(saved_median_ms < 0, -saved_low_ms, saved_high_ms)) END)
               AS span,
           max(CASE nth WHEN 1 THEN saved_low_ms END) AS saved_low_ms
    FROM known
    GROUP BY array, ranks, decomposition, schedule, rebalance
)
SELECT 'measured' AS kind,
       printf('%s, %d ranks, %s, %s, %s: pays, by its ratio to never in each round, at %d of %d numbers of iterations left', array,
              ranks, decomposition, schedule, rebalance, pays, points)
           || CASE WHEN pays = 0 THEN '' ELSE printf(', from %d on', pays_from) END
           || CASE WHEN costs = 0 THEN ''
                   ELSE printf(', costs at %d, the most %d iterations', costs, costs_to) END
           || CASE WHEN never_cut = 0 THEN '' ELSE printf(', is not cut at %d', never_cut) END
           || printf('; with %d left it %s %.4g ms%s, %.0f %% of the time of never (n = %d%s)', iterations,
                     iif(saved_ms < 0, 'loses', 'saves'), abs(saved_ms),
                     CASE WHEN saved_low_ms IS NULL THEN '' ELSE span END, abs(percent), n,
                     iif(points = 1, '', ' and more'))
           || CASE WHEN least IS NULL THEN ''
                   WHEN least < most
                   THEN printf('; a cut is paid for after %g to %g iterations', least, most)
                   ELSE printf('; a cut is paid for after %g iterations', most) END
           || CASE WHEN predicted_least IS NULL THEN ''
                   WHEN predicted_least < predicted_most
                   THEN printf(' (predicted: %g to %g)', predicted_least, predicted_most)
                   ELSE printf(' (predicted: %g)', predicted_most) END
           || '.' AS sentence
FROM counted
ORDER BY ranks, array, decomposition, schedule, rebalance;
