-- Figures 4 and 5 of Ranka, Wang and Kumar: most random permutations take within 10 % of their
-- average. Bins are 2 % wide and named by their lower end.
SELECT CASE WHEN series LIKE 'simulated%' THEN 'simulated' ELSE 'measured' END AS kind,
       'Most permutations take within 10 % of their average (3.2)' AS claim,
       CASE WHEN 2 * total(iif(at BETWEEN 0.899 AND 1.081, permutations, 0)) > total(permutations)
            THEN 'yes' ELSE 'no' END AS holds,
       printf('%d of %d do, on %d ranks.',
              total(iif(at BETWEEN 0.899 AND 1.081, permutations, 0)), total(permutations), ranks)
           AS sentence
FROM plotted
GROUP BY series
ORDER BY kind, ranks;
