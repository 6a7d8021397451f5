-- Figure 10 of Ranka, Wang and Kumar: heap operations per rank in proportion to (d / lambda) ln d,
-- the ratio constant over d. It holds where the ratios of a line differ by at most 15 %.
WITH lines AS (
    SELECT series, min(ratio) AS least, max(ratio) AS most, count(*) AS densities
    FROM plotted
    GROUP BY series
    HAVING count(*) > 1
)
SELECT 'Heap operations grow as (d / lambda) ln d' AS claim,
       CASE WHEN total(most <= 1.15 * least) = count(*) THEN 'yes'
            WHEN total(most <= 1.15 * least) = 0 THEN 'no'
            ELSE 'partly' END AS holds,
       printf('On %d of %d lines the ratio of both changes by at most 15 %%; over all it is %.2f to %.2f.',
              total(most <= 1.15 * least), count(*), min(least), max(most)) AS sentence
FROM lines
HAVING count(*) > 0;
