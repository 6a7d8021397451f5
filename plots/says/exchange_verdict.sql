-- Which schedule is the fastest of each pattern (tables/verdicts.sql); and of
-- the pairs of algorithms that the paper measured too how many come in its order. The order holds
-- where nine of ten pairs keep it, and does not where at most half do, which chance gives; on other than the
-- paper's 32 ranks nobody can tell.
WITH orders AS (
    SELECT kind, instance, ranks, total(CAST(paper_order AS INTEGER)) AS kept,
           total(CAST(substr(paper_order, instr(paper_order, ' of ') + 4) AS INTEGER)) AS pairs
    FROM plotted
    GROUP BY kind, instance, ranks
)
SELECT panel, 1 AS place, x, kind, NULL AS claim, NULL AS holds, sentence
FROM verdicts
UNION ALL
SELECT instance, 2, 0, kind, 'The order of the algorithms',
       CASE WHEN ranks <> 32 THEN NULL
            WHEN kept >= 0.9 * pairs THEN 'yes' WHEN kept <= 0.5 * pairs THEN 'no'
            ELSE 'partly' END,
       printf('%d of %d pairs of algorithms come in the paper''s order (%s%s).', kept, pairs,
              instance, CASE ranks WHEN 32 THEN '' ELSE ', the paper''s 32' END)
FROM orders
WHERE pairs > 0
ORDER BY kind, panel, place, x;
