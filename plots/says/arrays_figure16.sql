-- Figure 16 of Kaddoura, Ranka and Wang: the Acost of each decomposition, as printed, in whole numbers.
WITH known AS (
    SELECT o.decomposition, CAST(o.cell AS REAL) AS ours, CAST(p.cell AS REAL) AS paper
    FROM plotted AS o
    JOIN plotted AS p ON p.decomposition = o.decomposition AND p.what = 'Acost, paper'
    WHERE o.what = 'Acost'
)
SELECT 'modelled' AS kind, 'The Acost of each decomposition' AS claim,
       CASE WHEN total(abs(ours - paper) < 1) = count(*) THEN 'yes'
            WHEN total(abs(ours - paper) < 1) = 0 THEN 'no' ELSE 'partly' END AS printed,
       group_concat(printf('%s %g (%g)', decomposition, ours, paper), ', ') || '.' AS sentence
FROM known
GROUP BY NULL HAVING count(*) > 0;
