-- The contenders of the races of `chosen` that advice-rules.sql replays, in each launch: a race of at least four
-- launches in one environment. launch counts from 1. l is the logarithm of the ratio to the reference. turn is the
-- place of the contender's schedule, the simplest first.
WITH raw AS (
    SELECT l.race || l.environment || l.wait AS race, l.campaign || ' ' || l.job AS name, l.point, l.run, ln(l.ratio) AS l,
           l.contender AS role, coalesce(l.until_known, 0) AS known, b.place AS effort, c.contender
    FROM chosen AS c
    JOIN launch_ratio AS l ON l.point = c.point AND l.environment = c.environment AND l.kind = c.kind AND l.wait = c.wait
    JOIN by_simplicity AS b ON b.name = c.schedule
    WHERE NOT l.moot
),
numbered AS (
    SELECT *, dense_rank() OVER (PARTITION BY race ORDER BY name) AS launch
    FROM raw
),
sized AS (
    SELECT race, max(launch) AS launches, count(DISTINCT point) AS contenders
    FROM numbered
    GROUP BY race
    HAVING max(launch) >= 4
       AND count(DISTINCT point) > 1
)
SELECT n.*, s.contenders, dense_rank() OVER (PARTITION BY n.race ORDER BY n.effort, n.contender, n.point) AS turn
FROM numbered AS n
JOIN sized AS s ON s.race = n.race
