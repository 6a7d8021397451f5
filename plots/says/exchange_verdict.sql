-- Who wins each pattern: at which unit sizes, by how much, at how many of them significantly; and of
-- the pairs of algorithms that the paper measured too how many come in its order. The order holds
-- where nine of ten pairs keep it, and does not where at most half do, which chance gives; on other than the
-- paper's 32 ranks nobody can tell.
WITH winners AS (
    SELECT pattern, ranks, winner, group_concat(coalesce(unit || ' B', 'its own size'), ', ') AS units,
           count(*) AS sizes, min(factor) AS least, max(factor) AS most,
           total(significant = 'yes') AS sure, total(significant = 'BUSY') AS busy
    FROM (SELECT * FROM plotted ORDER BY unit)
    GROUP BY pattern, ranks, winner
),
orders AS (
    SELECT pattern, ranks, total(CAST(paper_order AS INTEGER)) AS kept,
           total(CAST(substr(paper_order, instr(paper_order, ' of ') + 4) AS INTEGER)) AS pairs
    FROM plotted
    GROUP BY pattern, ranks
)
SELECT pattern, ranks, 1 AS place, 'measured' AS kind, NULL AS claim, NULL AS holds,
       printf('%s, %d ranks: ', pattern, ranks)
           || group_concat(winner || ' wins with units of ' || units
               || CASE WHEN least IS NULL THEN '' ELSE
                   printf(' (the next takes %s times as long, %s)',
                          CASE WHEN printf('%.2f', least) = printf('%.2f', most)
                               THEN printf('%.2f', least)
                               ELSE printf('%.2f to %.2f', least, most) END,
                          CASE WHEN busy = sizes THEN 'not judged, the machine was BUSY'
                               WHEN sure = 0 THEN 'not significantly'
                               WHEN sure = sizes THEN 'significantly'
                               ELSE printf('significantly at %d of %d', sure, sizes) END
                              || CASE WHEN busy BETWEEN 1 AND sizes - 1
                                      THEN printf(', %d not judged, the machine was BUSY', busy) ELSE '' END) END, '; ')
           || '.' AS sentence
FROM (SELECT * FROM winners ORDER BY sizes DESC, winner)
GROUP BY pattern, ranks
UNION ALL
SELECT pattern, ranks, 2, 'measured', 'The order of the algorithms',
       CASE WHEN ranks <> 32 THEN NULL
            WHEN kept >= 0.9 * pairs THEN 'yes' WHEN kept <= 0.5 * pairs THEN 'no'
            ELSE 'partly' END,
       printf('%d of %d pairs of algorithms come in the paper''s order (%s, %d ranks%s).', kept, pairs,
              pattern, ranks, CASE ranks WHEN 32 THEN '' ELSE ', the paper''s 32' END)
FROM orders
WHERE pairs > 0
ORDER BY pattern, ranks, place;
