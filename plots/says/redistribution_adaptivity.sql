-- Bhat, Prasanna and Raghavendra: a schedule for the present links takes less time than direct, even when
-- links change. It holds if the interval of greedy's time over direct's is below 1 in all states, in part
-- if it is in some; without an interval the result is unknown. Then follows the value of the network as
-- it was, and of none, by comparison.
WITH over AS (
    SELECT ranks, factor, elements, series, count(*) AS states, min(value) AS least,
           max(value) AS most, total(high < 1) AS sure, count(high) AS known, min(n) AS n
    FROM plotted
    WHERE panel = 'over direct'
    GROUP BY ranks, factor, elements, series
),
others AS (
    SELECT ranks, factor, elements,
           group_concat(printf('; %s %s', series,
                               CASE WHEN printf('%.2f', least) = printf('%.2f', most)
                                    THEN printf('%.2f', least)
                                    ELSE printf('%.2f to %.2f', least, most) END), '') AS sentence
    FROM over
    WHERE series <> 'greedy, present network'
    GROUP BY ranks, factor, elements
)
SELECT 'measured' AS kind, 'Computed for the links as they are, greedy takes less than direct' AS claim,
       CASE WHEN o.known = 0 THEN NULL WHEN o.sure = o.states THEN 'yes' WHEN o.sure > 0 THEN 'partly'
            ELSE 'no' END AS holds,
       printf('%d ranks, K = %d, %d state%s of the links: %.2f to %.2f of direct''s time, less, intervals apart, in '
              || '%d%s (n = %d).', o.ranks, o.factor, o.states, iif(o.states = 1, '', 's'), o.least,
              o.most, o.sure, coalesce(t.sentence, ''), o.n) AS sentence
FROM over AS o
LEFT JOIN others AS t ON t.ranks = o.ranks AND t.factor = o.factor AND t.elements = o.elements
WHERE o.series = 'greedy, present network'
ORDER BY o.ranks, o.factor, o.elements;
