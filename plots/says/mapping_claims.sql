-- A sentence for each statement of Moh, Yu, Youn, Lee and Han, over both readings of the
-- connectivity: it holds if it does by both, in part if by one.
SELECT 'modelled' AS kind,
       place || ': ' || statement || CASE paper WHEN 'yes' THEN '' ELSE ', ' || paper END AS claim,
       CASE WHEN total(holds = 'yes') = count(*) THEN 'yes'
            WHEN total(holds = 'yes') > 0 THEN 'partly'
            ELSE 'no' END AS holds,
       group_concat(printf('%.3g%s %% with %d links', ours_percent,
                           CASE WHEN deviation IS NULL THEN '' ELSE printf(' +- %.2g', deviation) END,
                           links), ', ')
           || printf(' (%d networks)', min(networks))
           || CASE WHEN total(holds = 'yes') = 0 AND max(why) IS NOT NULL THEN ': ' || max(why) ELSE '' END
           || '.' AS sentence
FROM (SELECT row_number() OVER () AS nth, * FROM plotted)
GROUP BY place, statement, paper
ORDER BY min(nth);
