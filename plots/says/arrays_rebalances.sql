-- What cutting an array anew is worth when speeds change, which is not the paper's: a sentence for each
-- array and way of deciding it. It pays where even the ends of both 95 % intervals say so.
SELECT 'measured' AS kind,
       printf('%s, %d ranks, %s, %s: ', array, ranks, algorithm, rebalance)
           || printf('pays for sure at %d of %d numbers of iterations left', total(verdict = 'pays'),
                     count(*))
           || coalesce(printf(', from %d on',
                              min(CASE verdict WHEN 'pays' THEN iterations END)), '')
           || CASE WHEN total(verdict = 'costs') = 0 THEN ''
                   ELSE printf(', costs for sure at %d (at most %d iterations left)',
                               total(verdict = 'costs'),
                               max(CASE verdict WHEN 'costs' THEN iterations END)) END
           || CASE WHEN total(verdict = 'not cut') = 0 THEN ''
                   ELSE printf(', is not cut at %d', total(verdict = 'not cut')) END
           || printf('; with %d left %s ms are saved of %s (n = %d)', max(iterations),
                     (SELECT saved_ms FROM plotted AS m
                      WHERE m.array = p.array AND m.ranks = p.ranks AND m.algorithm = p.algorithm
                        AND m.exchange IS p.exchange AND m.rebalance = p.rebalance
                      ORDER BY m.iterations DESC LIMIT 1),
                     (SELECT never_ms FROM plotted AS m
                      WHERE m.array = p.array AND m.ranks = p.ranks AND m.algorithm = p.algorithm
                        AND m.exchange IS p.exchange AND m.rebalance = p.rebalance
                      ORDER BY m.iterations DESC LIMIT 1),
                     min(n))
           || CASE WHEN min(break_even) < max(break_even)
                   THEN printf('; a cut is paid for after %g to %g iterations', min(break_even),
                               max(break_even))
                   WHEN count(break_even) > 0
                   THEN printf('; a cut is paid for after %g iterations', max(break_even))
                   ELSE '' END
           || CASE WHEN min(predicted_break_even) < max(predicted_break_even)
                   THEN printf(' (predicted: %g to %g)', min(predicted_break_even),
                               max(predicted_break_even))
                   WHEN count(predicted_break_even) > 0
                   THEN printf(' (predicted: %g)', max(predicted_break_even))
                   ELSE '' END
           || '.' AS sentence
FROM plotted AS p
GROUP BY array, ranks, algorithm, exchange, rebalance
ORDER BY ranks, array, algorithm, rebalance;
