-- Whether Acost tells which decomposition is fast: it does where the interval of the correlation is
-- above 0, it does not where it is below. Then who wins each array at each ratio of speeds, and at how
-- many of them it is faster than grid for sure, which is even at the ends of both intervals.
SELECT 1 AS place, 'measured' AS kind, 'The less Acost, the faster the iteration' AS claim,
       CASE WHEN acost_low > 0 THEN 'yes' WHEN acost_high < 0 THEN 'no' END AS holds,
       does_Acost_tell || ' (rank correlations).' AS sentence
FROM plotted
WHERE winner IS NULL
  AND does_Acost_tell IS NOT NULL
UNION ALL
SELECT 2, 'measured', NULL, NULL,
       printf('%d ranks, %s: ', ranks, array)
           || group_concat(printf('at ratio %s %s', coalesce(printf('%g', ratio), 'unknown'), winner)
               || CASE WHEN winner = 'grid' OR times_grid IS NULL THEN ''
                       ELSE printf(' (%.2f times as fast as grid)', times_grid) END, ', ')
           || CASE WHEN count(times_grid) = 0 OR total(winner <> 'grid') = 0 THEN ''
                   ELSE printf('; for sure faster than grid at %d of %d',
                               total(winner <> 'grid' AND times_grid_least > 1), count(*)) END
           || '.'
FROM (SELECT * FROM plotted WHERE winner IS NOT NULL ORDER BY ratio)
GROUP BY ranks, array
ORDER BY place, sentence;
