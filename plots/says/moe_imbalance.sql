-- Where a schedule is worth its cost for tokens that go elsewhere in every step, and where for tokens that
-- stay: for each panel the contender that takes least beside alltoallv, with the schedule's cost in each step
-- and without, over all imbalances that were tried.
WITH best AS (
    SELECT panel, kind, imbalance, contender, ratio, high, scheduled, pays_after_steps,
           row_number() OVER (PARTITION BY panel, imbalance ORDER BY scheduled, contender) AS nth,
           max(pays_after_steps) OVER (PARTITION BY panel, imbalance) AS any_pays
    FROM plotted
    WHERE contender <> 'alltoallv'
      AND scheduled IS NOT NULL
),
steps AS (
    SELECT panel, kind, min(imbalance) AS least, max(imbalance) AS most, count(*) AS tried,
           total(scheduled < 1 AND pays_after_steps IS NOT NULL) AS pay_at_once,
           count(any_pays) AS pay, min(scheduled) AS lowest, max(scheduled) AS highest,
           group_concat(DISTINCT contender) AS contenders
    FROM (SELECT * FROM best ORDER BY panel, imbalance)
    WHERE nth = 1
    GROUP BY panel, kind
)
SELECT kind,
       printf('%s, busiest expert %g to %g times the mean: with its schedule computed anew in each step the best'
              || ' (%s) takes %.2f to %.2f times as long as alltoallv, shown to be less at %d of %d imbalances; with'
              || ' one that is kept, something takes less at %d.',
              panel, least, most, replace(contenders, ',', ', '), lowest, highest, pay_at_once, tried, pay) AS sentence
FROM steps
ORDER BY panel;
