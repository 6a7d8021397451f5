-- Completion times by the model over the networks drawn from a range, from redistribution_points, for
-- Figure 5 of Bhat, Prasanna and Raghavendra. There is a row for the lower bound and each algorithm at
-- each rank count, factor and range. One panel has the times, and one their ratios to the lower bound of
-- the same network. Values are means over the networks, least and most those of one. Networks are those
-- that all algorithms of the same series have.
WITH panels (panel, panel_place) AS (
    VALUES ('completion time, ms', 1), ('over the lower bound', 2)
),
counted AS (
    SELECT series_of, ranks, instance, count(*) AS contenders,
           max(count(*)) OVER (PARTITION BY series_of, ranks) AS most
    FROM redistribution_points
    WHERE kind = 'modelled'
    GROUP BY series_of, ranks, instance
),
shared AS (
    SELECT p.*
    FROM redistribution_points AS p
    JOIN counted AS c ON c.series_of = p.series_of AND c.ranks = p.ranks
        AND c.instance = p.instance
    WHERE p.kind = 'modelled'
      AND c.contenders = c.most
),
bounds AS (
    SELECT ranks, factor, heterogeneity, series_of, 'lower bound' AS series, lower_bound_s AS s, lower_bound_s
    FROM shared
    GROUP BY ranks, instance
),
all_series AS (
    SELECT * FROM bounds
    UNION ALL
    SELECT ranks, factor, heterogeneity, series_of, schedule, s, lower_bound_s FROM shared
),
curves AS (
    SELECT p.panel, p.panel_place, r.ranks, r.factor, r.heterogeneity, r.series,
           count(*) AS networks,
           avg(CASE p.panel_place WHEN 1 THEN 1000 * r.s ELSE r.s / r.lower_bound_s END) AS value,
           min(CASE p.panel_place WHEN 1 THEN 1000 * r.s ELSE r.s / r.lower_bound_s END) AS least,
           max(CASE p.panel_place WHEN 1 THEN 1000 * r.s ELSE r.s / r.lower_bound_s END) AS most
    FROM all_series AS r
    CROSS JOIN panels AS p
    WHERE p.panel_place = 1 OR r.series <> 'lower bound'
    GROUP BY p.panel, r.ranks, r.series_of, r.series
)
-- The bound is not an algorithm: its colour is that of one that is not shown.
SELECT c.*,
       printf('%.4g [%.4g, %.4g]', c.value, c.least, c.most) AS cell,
       coalesce(a.place, 99) AS place,
       coalesce(a.place, 7) AS style
FROM curves AS c
LEFT JOIN schedules AS a ON a.name = c.series;
