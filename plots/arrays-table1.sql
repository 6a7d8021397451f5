-- title: Kaddoura, Ranka, Wang, Table 1: how many XY decompositions of p parts there are, p! 2^(p-1), and how many need evaluation, pt(p)
-- sweep: arrays-tables
-- options: --modelled
-- rows: workload = 'stencil' AND kind = 'modelled' AND decomposition IN ('xy', 'xy2')
-- paper: arrays-table1
-- data: parts partitions decompositions
--
-- Rows are the paper's numbers of parts. There are p! 2^(p-1) orders of parts and cuts into columns. Theorem 1 leaves
-- only the pt(p) ways of writing p as a sum of counts that do not decrease, counted here one by one in XY's order. Our
-- xy and xy2 examine even fewer, because they are dynamic programs (arrays-growth).
WITH RECURSIVE parts (p) AS (
    SELECT p FROM paper
    UNION
    SELECT ranks FROM chosen WHERE ranks <= 20
),
-- Columns removed so far: the rest, and the least possible count of the next column.
columns (p, rest, least) AS (
    SELECT p, p, 1 FROM parts
    UNION ALL
    SELECT c.p, c.rest - t.value, t.value
    FROM columns AS c
    JOIN counts AS t ON t.value >= c.least
        AND (t.value = c.rest OR t.value <= c.rest - t.value)
),
counts (value) AS (
    SELECT 1
    UNION ALL
    SELECT value + 1 FROM counts WHERE value < 20
),
factorial (n, value) AS (
    SELECT 1, 1.0
    UNION ALL
    SELECT n + 1, value * (n + 1) FROM factorial WHERE n < 20
),
counted AS (
    SELECT p, count(*) AS partitions FROM columns WHERE rest = 0 GROUP BY p
)
SELECT c.p,
       c.partitions AS "pt(p)",
       t.pt AS "paper pt(p)",
       printf('%.6g', f.value * pow(2, c.p - 1)) AS "p! 2^(p-1)",
       CASE WHEN t.p IS NOT NULL THEN printf('%.6g', t.p_factorial_2_to_p_minus_1) END AS "paper p! 2^(p-1)",
       c.p AS parts,
       c.partitions,
       f.value * pow(2, c.p - 1) AS decompositions
FROM counted AS c
JOIN factorial AS f ON f.n = c.p
LEFT JOIN paper AS t ON t.p = c.p
ORDER BY c.p;

-- says
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
