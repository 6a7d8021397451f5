-- Table 1 of Kaddoura, Ranka and Wang: the small number of XY decompositions that Theorem 1 leaves.
-- It holds if all numbers are as printed, in part if half of them are.
WITH judged AS (
    SELECT p, "pt(p)" AS ours, "pt(p)" = "paper pt(p)" AS same, "p! 2^(p-1)" AS every,
           "p! 2^(p-1)" = "paper p! 2^(p-1)" AS same_every
    FROM plotted
    WHERE "paper pt(p)" IS NOT NULL
    ORDER BY p
)
SELECT 'pt(p) XY decompositions need evaluation, of p! 2^(p-1) (4)' AS claim,
       CASE WHEN total(same AND same_every) = count(*) THEN 'yes'
            WHEN total(same AND same_every) >= 0.5 * count(*) THEN 'partly'
            ELSE 'no' END AS printed,
       printf('%s for p = %s, counted one by one: %d of %d as printed; and of p! 2^(p-1) %d, up to %s.',
              group_concat(ours, ', '), group_concat(p, ', '), total(same), count(*),
              total(same_every), (SELECT every FROM judged ORDER BY p DESC LIMIT 1)) AS sentence
FROM judged
GROUP BY NULL HAVING count(*) > 0;
