-- title: Ranka, Wang, Kumar, Table 7: mesh exchange, communication time in ms (ours: median [95 % interval]; paper: 32-node CM-5)
-- sweep: exchange-table7
-- rows: workload = 'exchange' AND pattern = 'mesh' AND partition = 'rcb' AND ranks = 32
-- rows: AND mesh IN ('wing-2800', 'wing-53961') AND overlap = 0
-- paper: exchange-table7
-- pivot: algorithm
-- cells: ours paper
-- data: ours_value ours_low ours_high paper_value
--
-- The paper's comp rows are what the schedule costs to compute, in ms; its phases rows count the
-- phases. Where a point was measured with several seeds the latest is shown.
WITH latest AS (
    SELECT *
    FROM (SELECT CAST(substr(mesh, 6) AS INTEGER) AS points, unit, algorithm, started, point,
                 communication_s, communication_low_s, communication_high_s,
                 schedule_s, schedule_low_s, schedule_high_s, phases,
                 row_number() OVER (PARTITION BY mesh, unit, algorithm
                                    ORDER BY started DESC, point) AS place
          FROM chosen)
    WHERE place = 1
),
once AS (
    SELECT *,
           row_number() OVER (PARTITION BY points, algorithm ORDER BY started DESC, point) AS newest
    FROM latest
),
ours AS (
    SELECT points, unit, algorithm, 'comm ms' AS quantity, 1000 * communication_s AS value,
           1000 * communication_low_s AS low, 1000 * communication_high_s AS high
    FROM latest
    UNION ALL
    SELECT points, NULL, algorithm, 'comp ms', 1000 * schedule_s, 1000 * schedule_low_s,
           1000 * schedule_high_s
    FROM once
    WHERE newest = 1
    UNION ALL
    SELECT points, NULL, algorithm, 'phases', phases, NULL, NULL
    FROM once
    WHERE newest = 1
),
theirs AS (
    SELECT points, unit, algorithm, replace(quantity, '_', ' ') AS quantity, value
    FROM paper
),
places (algorithm, place) AS (
    VALUES ('ac', 1), ('lp', 2), ('lp-xor', 3), ('lp-cyclic', 4), ('rs-n', 5), ('rs-n-sort', 6),
           ('rs-nh', 7), ('rs-nh-lambda1', 8), ('rs-nh-fixed', 9)
),
cells AS (
    SELECT points, unit, algorithm, quantity FROM ours
    UNION
    SELECT points, unit, algorithm, quantity FROM theirs
)
SELECT c.points,
       c.unit,
       c.quantity,
       c.algorithm,
       CASE WHEN o.value IS NULL THEN NULL
            WHEN o.low IS NULL THEN printf('%.4g', o.value)
            ELSE printf('%.4g [%.4g %.4g]', o.value, o.low, o.high)
       END AS ours,
       CASE WHEN t.value IS NULL THEN NULL ELSE printf('%.4g', t.value) END AS paper,
       o.value AS ours_value,
       o.low AS ours_low,
       o.high AS ours_high,
       t.value AS paper_value
FROM cells AS c
LEFT JOIN ours AS o ON o.points = c.points AND o.unit IS c.unit AND o.quantity = c.quantity
    AND o.algorithm = c.algorithm
LEFT JOIN theirs AS t ON t.points = c.points AND t.unit IS c.unit AND t.quantity = c.quantity
    AND t.algorithm = c.algorithm
LEFT JOIN places AS p ON p.algorithm = c.algorithm
ORDER BY c.points, c.quantity, c.unit, coalesce(p.place, 99), c.algorithm;
