-- table: exchange_permutations
-- series: series
-- pivot: series
-- cells: cell
-- data: ranks at percent permutations
-- size: 1200x600
--
-- The distribution of the time of random permutations. There is a row for each bin of a histogram over the time in
-- multiples of the average, a series for each number of ranks, measured or simulated. Bins are 0.02 of the average
-- wide; there is a single bin from twice the average on.
WITH relative AS (
    SELECT kind, ranks, n, wanted, mean_s, median_s, s / mean_s AS x,
           CASE WHEN s < 2 * mean_s THEN CAST(50 * s / mean_s AS INTEGER) ELSE 100 END AS bin
    FROM exchange_permutations
    WHERE distance IS NULL
),
named AS (
    SELECT kind, ranks, n,
           printf('%s%d ranks: %d%s permutations, average %.4g ms (median %.4g), %.1f %% within 10 %%',
                  CASE kind WHEN 'simulated' THEN 'simulated, ' ELSE '' END, ranks, n, CASE WHEN n < wanted THEN ' of ' || wanted ELSE '' END, 1000 * mean_s,
                  1000 * median_s, 100.0 * total(abs(x - 1) <= 0.1) / n) AS series
    FROM relative
    GROUP BY kind, ranks
),
bins AS (
    SELECT r.kind,
           r.ranks,
           CASE WHEN r.bin < 100 THEN printf('%.2f', r.bin / 50.0) ELSE '2 and more' END AS bin,
           n.series,
           printf('%.2f %%', 100.0 * count(*) / n.n) AS cell,
           r.bin / 50.0 AS at,
           100.0 * count(*) / n.n AS percent,
           count(*) AS permutations
    FROM relative AS r
    JOIN named AS n ON n.kind = r.kind AND n.ranks = r.ranks
    GROUP BY r.kind, r.ranks, r.bin
)
SELECT bin,
       series,
       cell,
       at,
       percent,
       permutations,
       ranks
FROM bins
ORDER BY kind, ranks, at;

-- says
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
