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
