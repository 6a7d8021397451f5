-- What keeping a schedule costs and saves: for each panel the one that takes least beside posting all at once where each
-- step has its own, and where one is kept for as many steps as were tried; with the cost of schedules where it is known.
WITH best AS (
    SELECT panel, kind, kept_for, series, ratio, costing, high,
           row_number() OVER (PARTITION BY panel, kept_for ORDER BY coalesce(costing, ratio), series) AS nth,
           max(kept_for) OVER (PARTITION BY panel) AS longest
    FROM plotted
    WHERE series NOT IN ('ac', 'ac repaired')
      AND series IN (SELECT series FROM plotted WHERE kept_for > 1) -- what keeps nothing is no answer
),
ends AS (
    SELECT panel, kind, kept_for, longest,
           printf('%s takes %.2f times as long as posting all at once%s', series, ratio,
                  iif(costing IS NULL, '', printf(', %.2f with gathering and scheduling', costing))) AS said
    FROM best
    WHERE nth = 1
      AND kept_for IN (1, longest)
)
SELECT a.kind,
       printf('%s: with a schedule for each step %s; with one that is kept for %d steps %s.', a.panel, a.said,
              b.kept_for, b.said) AS sentence
FROM ends AS a
JOIN ends AS b ON b.panel = a.panel AND b.kept_for = b.longest AND b.longest > 1
WHERE a.kept_for = 1
ORDER BY a.panel;
