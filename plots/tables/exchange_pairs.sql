-- The ratio of one algorithm of Tables 5, 6 and 7 of Ranka, Wang and Kumar to another. There is a row for each
-- kind, panel and item size (tables/exchange_cells.sql), quantity and ordered pair. It has ratio, and its interval low
-- .. high.
--
-- Measured communication is compared in races alone. In each launch it is the mean over the instances of the
-- logarithm of the ratio, then over launches (over_launches), with the 95 % interval. An instance that a launch lacks
-- comes from another such launch, as in race_pairs.sql. reach is the distance from
-- 1 that the noise's interval reaches, in logarithms; smaller differences do not count. low, high and reach are
-- NULL if there is none: measured in separate races, launched once, or too short for a result. All other ratios
-- are as exact as their cells.
WITH entered AS (
    SELECT CASE c.pattern WHEN 'mesh' THEN printf('%d mesh points', substr(c.mesh, 6))
                          WHEN 'skewed' THEN 'skewed'
                          ELSE printf('d = %d', c.degree) END AS panel,
           c.item_bytes, c.schedule, l.point, l.contender AS role, l.race, l.campaign, l.job, l.ratio
    FROM chosen AS c
    JOIN launch_ratio AS l ON l.point = c.point AND l.environment = c.environment AND l.kind = c.kind
        AND l.wait = c.wait
    WHERE c.kind = 'measured'
      AND c.too_short IS NOT 1
      AND c.messages IS NOT 0
),
met AS (
    SELECT *, count(*) OVER (PARTITION BY panel, item_bytes, one, other, campaign, job) AS points,
           dense_rank() OVER (PARTITION BY panel, item_bytes, one, other ORDER BY point) AS nth_instance
    FROM (SELECT a.panel, a.item_bytes, a.schedule AS one, b.schedule AS other, a.point, a.campaign, a.job,
                 ln(a.ratio / b.ratio) AS l
          FROM entered AS a
          JOIN entered AS b ON b.panel = a.panel AND b.item_bytes IS a.item_bytes AND b.race = a.race
              AND b.campaign = a.campaign AND b.job = a.job AND (b.schedule = a.schedule) = (a.role = 'duplicate')
          WHERE b.role <> 'duplicate')
),
whole AS (
    SELECT *, iif(is_whole, campaign || ' ' || job,
                  row_number() OVER (PARTITION BY panel, item_bytes, one, other, is_whole, point
                                     ORDER BY campaign, job)) AS launch
    FROM (SELECT *, points = max(nth_instance) OVER (PARTITION BY panel, item_bytes, one, other) AS is_whole FROM met)
),
launched AS (
    SELECT *
    FROM (SELECT panel, item_bytes, one, other, avg(l) AS l, count(*) AS points,
                 max(count(*)) OVER (PARTITION BY panel, item_bytes, one, other) AS most
          FROM whole
          GROUP BY panel, item_bytes, one, other, launch)
    WHERE points = most
),
estimated AS (
    SELECT panel, item_bytes, one, other, json_extract(e, '$[1]') AS middle, json_extract(e, '$[3]') AS reach
    FROM (SELECT panel, item_bytes, one, other, over_launches(l) AS e
          FROM launched
          GROUP BY panel, item_bytes, one, other)
),
noises AS (
    SELECT panel, item_bytes, abs(json_extract(e, '$[1]')) + json_extract(e, '$[3]') AS reach
    FROM (SELECT panel, item_bytes, over_launches(l) AS e FROM launched WHERE one = other GROUP BY panel, item_bytes)
),
named (kind, panel, item_bytes, quantity, schedule, value) AS (
    SELECT 'measured', panel, item_bytes, quantity, schedule, ours FROM exchange_cells
    UNION ALL
    SELECT 'simulated', panel, item_bytes, quantity, schedule, simulated FROM exchange_cells
    UNION ALL
    SELECT 'modelled', panel, item_bytes, quantity, schedule, model FROM exchange_cells
)
SELECT a.kind, a.panel, a.item_bytes, a.quantity, a.schedule AS one, b.schedule AS other,
       coalesce(exp(e.middle), a.value / b.value) AS ratio,
       iif(a.kind = 'measured' AND a.quantity = 'comm ms', exp(e.middle - e.reach), a.value / b.value) AS low,
       iif(a.kind = 'measured' AND a.quantity = 'comm ms', exp(e.middle + e.reach), a.value / b.value) AS high,
       iif(a.kind = 'measured' AND a.quantity = 'comm ms', c.reach, 0) AS reach
FROM named AS a
JOIN named AS b ON b.kind = a.kind AND b.panel = a.panel AND b.item_bytes IS a.item_bytes AND b.quantity = a.quantity
    AND b.schedule <> a.schedule AND b.value > 0
LEFT JOIN estimated AS e ON e.panel = a.panel AND e.item_bytes IS a.item_bytes AND e.one = a.schedule
    AND e.other = b.schedule AND a.kind = 'measured' AND a.quantity = 'comm ms'
LEFT JOIN noises AS c ON c.panel = a.panel AND c.item_bytes IS a.item_bytes
WHERE a.value IS NOT NULL;
