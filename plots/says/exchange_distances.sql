-- Table 3 of Ranka, Wang and Kumar: permutations within groups of 8 (D = 1, 2 and 4) take about 25 % less
-- time than random ones. It holds if the means of all three are 15 to 35 % less, in part if all are at
-- least 5 % less.
WITH near AS (
    SELECT source, ranks, min(value) AS least, max(value) AS most, min(n) AS n,
           CASE WHEN printf('%.3f', min(value)) = printf('%.3f', max(value))
                THEN printf('%.3f', min(value))
                ELSE printf('%.3f to %.3f', min(value), max(value)) END AS span
    FROM plotted
    WHERE quantity = 'over random' AND CAST(distance AS INTEGER) IN (1, 2, 4)
    GROUP BY source, ranks
),
far AS (
    SELECT source, ranks, group_concat(distance, ', ') AS distances,
           CASE WHEN printf('%.3f', min(value)) = printf('%.3f', max(value))
                THEN printf('%.3f', min(value))
                ELSE printf('%.3f to %.3f', min(value), max(value)) END AS span
    FROM plotted
    WHERE quantity = 'over random' AND CAST(distance AS INTEGER) > 4
    GROUP BY source, ranks
)
SELECT n.source AS kind, 'Permutations within groups of 8 take about 25 % less than random ones (3.2)' AS claim,
       CASE WHEN n.least >= 0.65 AND n.most <= 0.85 THEN 'yes'
            WHEN n.most <= 0.95 THEN 'partly'
            ELSE 'no' END AS holds,
       printf('%d ranks: %s of the mean time of random ones%s (paper: %s, %s); means of at least %d %s%s.',
              n.ranks, n.span, coalesce(', ' || f.span || ' at D = ' || f.distances, ''), p.span, q.span,
              n.n, iif(n.n = 1, 'sample', 'samples'),
              iif(n.least > 0.95, ': near pairs are no faster here than far ones, as they were on the CM-5', ''))
           AS sentence
FROM near AS n
LEFT JOIN far AS f ON f.source = n.source AND f.ranks = n.ranks
JOIN near AS p ON p.source = 'paper'
JOIN far AS q ON q.source = 'paper'
WHERE n.source <> 'paper'
ORDER BY n.source, n.ranks;
