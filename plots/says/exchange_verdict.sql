-- Who wins each pattern: at which unit sizes, by how much, at how many of them significantly; and of
-- the pairs of algorithms that the paper measured too how many come in its order. The order holds
-- where nine of ten pairs keep it, and does not where at most half do, which chance gives; on other than the
-- paper's 32 ranks nobody can tell.
WITH orders AS (
    SELECT kind, pattern, ranks, total(CAST(paper_order AS INTEGER)) AS kept,
           total(CAST(substr(paper_order, instr(paper_order, ' of ') + 4) AS INTEGER)) AS pairs
    FROM plotted
    GROUP BY kind, pattern, ranks
)
SELECT pattern, ranks, 1 AS place, kind, NULL AS claim, NULL AS holds, sentence
FROM duel_winners
UNION ALL
SELECT pattern, ranks, 2, kind, 'The order of the algorithms',
       CASE WHEN ranks <> 32 THEN NULL
            WHEN kept >= 0.9 * pairs THEN 'yes' WHEN kept <= 0.5 * pairs THEN 'no'
            ELSE 'partly' END,
       printf('%d of %d pairs of algorithms come in the paper''s order (%s, %d ranks%s).', kept, pairs,
              pattern, ranks, CASE ranks WHEN 32 THEN '' ELSE ', the paper''s 32' END)
FROM orders
WHERE pairs > 0
ORDER BY kind, pattern, ranks, place;
