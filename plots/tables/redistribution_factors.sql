-- Times over K of direct and the heuristic, from redistribution_points, for Figure 4 of Bhat, Prasanna
-- and Raghavendra. There is a row for each rank count, array, K and algorithm, with measured, simulated
-- and modelled times of the same networks. For one network they are the median [95 % interval] of the
-- communication; for several the mean of their medians, without an interval.
WITH counted AS (
    SELECT kind, ranks, series_of, instance, count(*) AS contenders,
           max(count(*)) OVER (PARTITION BY kind, ranks, series_of) AS most
    FROM redistribution_points
    GROUP BY kind, ranks, instance
),
shared AS (
    SELECT p.*
    FROM redistribution_points AS p
    JOIN counted AS c ON c.kind = p.kind AND c.ranks = p.ranks AND c.instance = p.instance
    WHERE c.contenders = c.most
),
means AS (
    SELECT ranks, elements, series_of, factor, schedule,
           count(CASE kind WHEN 'measured' THEN s END) AS measured,
           count(CASE kind WHEN 'simulated' THEN s END) AS simulated,
           count(CASE kind WHEN 'modelled' THEN s END) AS modelled,
           avg(CASE kind WHEN 'measured' THEN 1000 * s END) AS ms,
           max(CASE kind WHEN 'measured' THEN 1000 * low_s END) AS low_ms,
           max(CASE kind WHEN 'measured' THEN 1000 * high_s END) AS high_ms,
           avg(CASE kind WHEN 'simulated' THEN 1000 * s END) AS simulated_ms,
           avg(CASE kind WHEN 'modelled' THEN 1000 * s END) AS model_ms,
           1000 * avg(lower_bound_s) AS lower_bound_ms
    FROM shared
    GROUP BY ranks, series_of, schedule
)
SELECT printf('P = %d, N = %,d', m.ranks, m.elements) AS panel,
       m.factor,
       m.schedule,
       CASE WHEN m.measured = 1 AND m.low_ms IS NOT NULL
            THEN printf('%.4g [%.4g, %.4g]', m.ms, m.low_ms, m.high_ms)
            WHEN m.measured > 0 THEN printf('%.4g', m.ms) END AS measured,
       CASE WHEN m.simulated > 0 THEN printf('%.4g', m.simulated_ms) END AS simulated,
       CASE WHEN m.modelled > 0 THEN printf('%.4g', m.model_ms) END AS modelled,
       m.ms,
       CASE m.measured WHEN 1 THEN m.low_ms END AS low_ms,
       CASE m.measured WHEN 1 THEN m.high_ms END AS high_ms,
       m.simulated_ms,
       m.model_ms,
       m.lower_bound_ms,
       max(m.measured, m.simulated, m.modelled) AS networks,
       a.place AS style,
       m.ranks,
       m.elements
FROM means AS m
LEFT JOIN schedules AS a ON a.name = m.schedule;
