-- Figure 10 of Ranka, Wang and Kumar: heap operations per rank in proportion to (d / lambda) ln d, with a
-- constant ratio over d. It holds if the ratios of a line differ by at most 15 %. The paper counted with
-- whole messages put back; the count with split messages is also given, without a verdict.
WITH lines AS (
    SELECT panel, panel LIKE 'whole%' AS is_paper, min(ratio) AS least, max(ratio) AS most
    FROM plotted
    GROUP BY panel, series
    HAVING count(*) > 1
)
SELECT 'Heap operations grow as (d / lambda) ln d (5.2)'
           || CASE WHEN is_paper THEN '' ELSE ', with messages split' END AS claim,
       CASE WHEN NOT is_paper THEN NULL
            WHEN total(most <= 1.15 * least) = count(*) THEN 'yes'
            WHEN total(most <= 1.15 * least) = 0 THEN 'no'
            ELSE 'partly' END AS holds,
       printf('On %d of %d lines the ratio of both changes by at most 15 %%; over all it is %.2f to %.2f.',
              total(most <= 1.15 * least), count(*), min(least), max(most)) AS sentence
FROM lines
GROUP BY is_paper
ORDER BY is_paper DESC;
