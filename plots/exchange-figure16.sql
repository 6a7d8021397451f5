-- title: Mesh exchange by algorithm (Ranka, Wang, Kumar, Figure 16; its numbers, a 32-node CM-5, dashed)
-- sweep: exchange-table7
-- rows: workload = 'exchange' AND pattern = 'mesh' AND partition = 'rcb' AND ranks = 32
-- rows: AND mesh IN ('wing-2800', 'wing-53961') AND overlap = 0
-- paper: exchange-table7
-- panel: panel
-- series: algorithm
-- style: style
-- size: 1200x560
--
-- The figure draws the numbers of table 7.
WITH latest AS (
    SELECT CAST(substr(mesh, 6) AS INTEGER) AS points, unit, algorithm,
           communication_s, communication_low_s, communication_high_s,
           row_number() OVER (PARTITION BY mesh, unit, algorithm ORDER BY started DESC, point)
               AS place
    FROM chosen
),
ours AS (
    SELECT points, unit, algorithm, 1000 * communication_s AS value,
           1000 * communication_low_s AS low, 1000 * communication_high_s AS high
    FROM latest
    WHERE place = 1
),
theirs AS (
    SELECT points, unit, algorithm, value
    FROM paper
    WHERE quantity = 'comm_ms'
),
places (algorithm, place) AS (
    VALUES ('ac', 1), ('lp', 2), ('lp-xor', 3), ('lp-cyclic', 4), ('rs-n', 5), ('rs-n-sort', 6),
           ('rs-nh', 7), ('rs-nh-lambda1', 8), ('rs-nh-fixed', 9)
),
cells AS (
    SELECT points, unit, algorithm FROM ours
    UNION
    SELECT points, unit, algorithm FROM theirs
)
SELECT printf('%d mesh points', c.points) AS panel,
       c.algorithm,
       c.unit,
       o.value AS ours_ms,
       o.low AS low_ms,
       o.high AS high_ms,
       t.value AS paper_ms,
       -- What only the paper has looks like nothing that nuce has: the last styles, from the end.
       coalesce(a.place, 18 - p.place) AS style
FROM cells AS c
LEFT JOIN ours AS o ON o.points = c.points AND o.unit = c.unit AND o.algorithm = c.algorithm
LEFT JOIN theirs AS t ON t.points = c.points AND t.unit = c.unit AND t.algorithm = c.algorithm
LEFT JOIN algorithm AS a ON a.name = c.algorithm
LEFT JOIN places AS p ON p.algorithm = c.algorithm
ORDER BY c.points, coalesce(p.place, 99), c.algorithm, c.unit;
