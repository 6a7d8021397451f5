-- The value of a schedule for tokens that go elsewhere in every step. For each panel it names the contender with the
-- least time relative to alltoallv, including gathering and scheduling in each step, over all tested imbalances. It
-- also names the imbalance from which a kept schedule pays. A schedule pays if it is significantly faster than
-- alltoallv, by the interval and the noise of its race, there and at all larger tested imbalances. The steps are the
-- most that it needs there to compensate for that cost, by the upper end of the interval. A contender that is
-- significantly slower at all imbalances does not pay; all others are inconclusive. One launch is never conclusive.
WITH best AS (
    SELECT panel, kind, imbalance, contender, costing, pays_after_high,
           row_number() OVER (PARTITION BY panel, imbalance ORDER BY costing, contender) AS nth
    FROM plotted
    WHERE contender <> 'alltoallv'
      AND costing IS NOT NULL
),
anew AS (
    SELECT panel, kind, min(imbalance) AS least, max(imbalance) AS most, count(*) AS tried,
           total(pays_after_high <= 1) AS pay_at_once, min(costing) AS lowest, max(costing) AS highest,
           group_concat(DISTINCT contender) AS contenders
    FROM (SELECT * FROM best ORDER BY panel, imbalance)
    WHERE nth = 1
    GROUP BY panel, kind
),
-- The imbalance beyond which a contender is always faster: NULL if it is at all of them.
ends AS (
    SELECT panel, contender, max(imbalance) FILTER (WHERE side IS NOT -1) AS behind, min(side) AS least_side,
           count(side) = count(*) AS is_known
    FROM plotted
    WHERE contender <> 'alltoallv'
    GROUP BY panel, contender
),
contenders_of AS (
    SELECT p.panel, p.kind, p.contender, p.style, e.least_side = 1 AND e.is_known AS is_slower,
           min(p.imbalance) FILTER (WHERE e.behind IS NULL OR p.imbalance > e.behind) AS from_on,
           max(ceil(p.pays_after_high)) FILTER (WHERE e.behind IS NULL OR p.imbalance > e.behind) AS steps
    FROM plotted AS p
    JOIN ends AS e ON e.panel = p.panel AND e.contender = p.contender
    GROUP BY p.panel, p.contender
),
kept AS (
    SELECT panel, kind,
           group_concat(printf('from imbalance %g on %s pays, %s', from_on, contender,
                               CASE WHEN steps IS NULL THEN 'without its scheduling, whose time is not known here'
                                    ELSE printf('with its scheduling in after %d step%s', max(1, steps),
                                                iif(steps > 1, 's', '')) END), '; ')
               FILTER (WHERE from_on IS NOT NULL) AS pay,
           group_concat(contender, ', ') FILTER (WHERE is_slower) AS slower,
           group_concat(contender, ', ') FILTER (WHERE from_on IS NULL AND NOT is_slower) AS open
    FROM (SELECT * FROM contenders_of ORDER BY panel, from_on, steps, style IS NULL, style, contender)
    GROUP BY panel, kind
),
tried AS (
    SELECT panel, min(imbalance) AS least, max(imbalance) AS most FROM plotted GROUP BY panel
)
SELECT kind, sentence
FROM (
SELECT 1 AS place, panel, kind,
       printf('%s, busiest expert %g to %g times the mean: with its schedule made again in each step, gathering'
              || ' included, the best (%s) takes %.2fx%s the time of alltoallv, significantly less at %d of %d'
              || ' imbalances.',
              panel, least, most, replace(contenders, ',', ', '), lowest,
              iif(printf('%.2f', lowest) = printf('%.2f', highest), '', printf(' to %.2fx', highest)), pay_at_once,
              tried) AS sentence
FROM anew
UNION ALL
SELECT 2, k.panel, k.kind,
       printf('%s, busiest expert %g to %g times the mean, with a schedule that is kept: %s%s%s.', k.panel, t.least, t.most,
              coalesce(k.pay, 'none is shown to pay'),
              coalesce('; inconclusive: ' || k.open, ''),
              coalesce('; longer than alltoallv at all of them: ' || k.slower, ''))
FROM kept AS k
JOIN tried AS t ON t.panel = k.panel
)
ORDER BY panel, place;
