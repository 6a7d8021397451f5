-- The cells of Tables 5, 6 and 7 of Ranka, Wang and Kumar and of the figures that draw them. They are ours (measured,
-- simulated and modelled) and the paper's, a row for each panel ("d = 8", "skewed", "2800 mesh points"), item size, quantity
-- and algorithm.
--
-- The quantity is 'comm ms', the communication; 'comp ms', computing the schedule once; or 'phases'. Over the instances
-- of a random pattern it is the mean, with Student's 95 % interval of that mean from six instances on. For one instance
-- it is the median with its own interval. Measured cells of a panel and item size are over the instances that all its
-- algorithms have. If a mesh was measured with several seeds, the latest is shown.
WITH named AS (
    SELECT kind, item_bytes, schedule, started, time_s, communication_low_s, communication_high_s,
           schedule_s, schedule_low_s, schedule_high_s, phases,
           CASE pattern WHEN 'mesh' THEN printf('%d mesh points', substr(mesh, 6))
                        WHEN 'skewed' THEN 'skewed'
                        ELSE printf('d = %d', degree) END AS panel,
           -- A mesh is one instance, with any seed.
           coalesce(instance_number || ' ' || seed, 'mesh') AS instance
    FROM chosen
),
-- With max() the other columns are those of its row; a window would number every row first.
latest AS (
    SELECT *, max(started)
    FROM named
    GROUP BY kind, panel, item_bytes, schedule, instance
),
shared AS (
    SELECT kind, panel, item_bytes, instance
    FROM (SELECT kind, panel, item_bytes, instance, count(*) AS contenders,
                 max(count(*)) OVER (PARTITION BY kind, panel, item_bytes) AS most
          FROM latest
          GROUP BY kind, panel, item_bytes, instance)
    WHERE contenders = most
),
-- A row for each quantity of each instance.
quantities AS (
    SELECT l.kind, l.panel, l.item_bytes, l.schedule, q.quantity,
           CASE q.quantity WHEN 'comm ms' THEN 1000 * l.time_s
                           WHEN 'comp ms' THEN 1000 * l.schedule_s
                           ELSE l.phases END AS value,
           CASE q.quantity WHEN 'comm ms' THEN 1000 * l.communication_low_s
                           WHEN 'comp ms' THEN 1000 * l.schedule_low_s END AS low,
           CASE q.quantity WHEN 'comm ms' THEN 1000 * l.communication_high_s
                           WHEN 'comp ms' THEN 1000 * l.schedule_high_s END AS high
    FROM latest AS l
    JOIN shared AS s ON s.kind = l.kind AND s.panel = l.panel AND s.item_bytes IS l.item_bytes
        AND s.instance = l.instance
    JOIN (SELECT 'comm ms' AS quantity UNION ALL SELECT 'comp ms' UNION ALL SELECT 'phases') AS q
),
means AS (
    SELECT kind, panel, item_bytes, schedule, quantity, count(value) AS n,
           avg(value) AS value,
           CASE WHEN count(value) = 1 THEN min(low) END AS low,
           CASE WHEN count(value) = 1 THEN min(high) END AS high,
           CASE WHEN count(value) >= 6
                THEN sqrt(max(avg(value * value) - avg(value) * avg(value), 0)
                          * count(value) / (count(value) - 1) / count(value)) END AS error
    FROM quantities
    WHERE value IS NOT NULL
    GROUP BY kind, panel, item_bytes, schedule, quantity
),
cells AS (
    SELECT kind, panel, item_bytes, schedule, quantity, n, value,
           coalesce(low, max(value - error * student(n - 1), 0)) AS low,
           coalesce(high, value + error * student(n - 1)) AS high
    FROM means
),
theirs AS (
    SELECT panel, item_bytes, schedule, replace(quantity, '_', ' ') AS quantity, value
    FROM paper
),
keys AS (
    SELECT panel, item_bytes, schedule, quantity FROM cells
    UNION
    SELECT panel, item_bytes, schedule, quantity FROM theirs
)
SELECT k.panel,
       CAST(replace(k.panel, 'd = ', '') AS INTEGER) AS panel_place,
       k.item_bytes,
       k.quantity,
       k.schedule,
       coalesce(a.place, 99) AS place,
       a.place AS style,
       o.n,
       o.value AS ours,
       o.low AS ours_low,
       o.high AS ours_high,
       s.value AS simulated,
       s.low AS simulated_low,
       s.high AS simulated_high,
       s.n AS simulated_n,
       m.value AS model,
       m.n AS model_n,
       t.value AS paper
FROM keys AS k
LEFT JOIN cells AS o ON o.kind = 'measured' AND o.panel = k.panel AND o.item_bytes IS k.item_bytes
    AND o.quantity = k.quantity AND o.schedule = k.schedule
LEFT JOIN cells AS s ON s.kind = 'simulated' AND s.panel = k.panel AND s.item_bytes IS k.item_bytes
    AND s.quantity = k.quantity AND s.schedule = k.schedule
LEFT JOIN cells AS m ON m.kind = 'modelled' AND m.panel = k.panel AND m.item_bytes IS k.item_bytes
    AND m.quantity = k.quantity AND m.schedule = k.schedule
LEFT JOIN theirs AS t ON t.panel = k.panel AND t.item_bytes IS k.item_bytes AND t.quantity = k.quantity
    AND t.schedule = k.schedule
LEFT JOIN schedules AS a ON a.name = k.schedule;
