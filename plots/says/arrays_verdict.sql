-- Tests if Acost predicts the fast decomposition. It does if the interval of the correlation is above 0, in
-- part if the correlation is less than a half, and not if the interval is below 0. Then the winner of each
-- array at each ratio of speeds, and the number of ratios at which it is significantly faster than grid. With a
-- single measured decomposition there is no winner.
WITH fought AS (
    SELECT *, CASE WHEN ratio IS NULL THEN 'unknown' ELSE printf('%g', ratio) END AS at
    FROM plotted
    WHERE winner IS NOT NULL
      AND decompositions > 1
),
arrays AS (
    SELECT ranks, array, count(*) AS ratios, total(winner = 'grid') AS lost,
           count(times_grid) AS beside_grid,
           total(winner <> 'grid' AND beats_grid = 1) AS sure,
           group_concat(at, ', ') AS all_of_them,
           group_concat('at ratio ' || at || CASE
               WHEN winner = 'grid' THEN ' no decomposition beats grid'
               WHEN times_grid IS NULL THEN ' ' || winner
               ELSE printf(' %s (%.2fx the time of grid)', winner, 1 / times_grid) END, ', ') AS each
    FROM (SELECT * FROM fought ORDER BY ratio)
    GROUP BY ranks, array
)
SELECT 1 AS place, 'measured' AS kind, 'The less Acost, the faster the iteration' AS claim,
       CASE WHEN acost_low > 0 THEN iif(acost_rho < 0.5, 'partly', 'yes') WHEN acost_high < 0 THEN 'no' END AS holds,
       does_Acost_tell || ' (rank correlations).' AS sentence
FROM plotted
WHERE winner IS NULL
  AND does_Acost_tell IS NOT NULL
UNION ALL
SELECT 2, 'measured', NULL, NULL,
       printf('%d ranks, %s: ', ranks, array)
           || CASE WHEN lost = ratios
                   THEN printf('no decomposition beats grid, at ratio%s %s', iif(ratios = 1, '', 's'),
                               all_of_them)
                   WHEN beside_grid = 0 THEN each
                   WHEN sure = 0 THEN 'none is significantly faster than grid; the least times are ' || each
                   ELSE printf('%s; significantly faster than grid at %d of %d', each, sure, ratios) END
           || '.'
FROM arrays
ORDER BY place, sentence;
