-- title: Mapping: which process (number) of a mesh runs at which switch (s), and the links that messages to neighbours cross (cardinality)
-- sweep: mapping-topology
-- options: --modelled
-- rows: workload = 'mapping' AND kind = 'modelled' AND json_extract(params, '$.layout') IS NOT NULL
-- panel: panel
-- data: place x1 y1 x2 y2 is_tree rank row column rows columns slot count number
-- size: 1300x1000
--
-- The network of the last modelled placement, under every placement that was drawn on it. Switches are on the levels of
-- the tree that routes follow; links of the tree are heavier than the others. A process is its rank, in a colour of its
-- row of the mesh, which gets lighter along the row.
WITH last AS (
    SELECT instance FROM chosen ORDER BY started DESC, point LIMIT 1
),
drawn AS (
    SELECT m.latest AS run, m.placement, a.place, m.cardinality
    FROM chosen AS m
    JOIN last AS l ON l.instance = m.instance
    JOIN placements AS a ON a.name = m.placement
),
-- A switch is as wide as everything below it, and above its middle.
below AS (
    SELECT s.run, s.number, s.level, s.place, s.parent,
           coalesce((SELECT min(d.place) FROM network_switch AS d
                     WHERE d.run = s.run AND d.level <= s.level AND d.place > s.place),
                    (SELECT count(*) FROM network_switch AS d WHERE d.run = s.run)) AS after
    FROM network_switch AS s
    WHERE s.run IN (SELECT run FROM drawn)
),
leaves AS (
    SELECT run, place, sum(after = place + 1) OVER (PARTITION BY run ORDER BY place) AS leaf,
           after = place + 1 AS is_leaf
    FROM below
),
switches AS (
    SELECT b.run, b.number, b.level, b.parent,
           (SELECT avg(l.leaf) FROM leaves AS l
            WHERE l.run = b.run AND l.is_leaf AND l.place >= b.place AND l.place < b.after) AS x,
           -1.0 * b.level AS y
    FROM below AS b
),
links AS (
    SELECT l.run, l.a, l.b, p.x AS x1, p.y AS y1, q.x AS x2, q.y AS y2,
           coalesce(p.parent = l.b, 0) OR coalesce(q.parent = l.a, 0) AS is_tree
    FROM switch_link AS l
    JOIN switches AS p ON p.run = l.run AND p.number = l.a
    JOIN switches AS q ON q.run = l.run AND q.number = l.b
),
size AS (
    SELECT run, max(row) + 1 AS rows, max("column") + 1 AS columns FROM placed GROUP BY run
),
shown AS (
    SELECT run, 1 AS kind_place, 'link' AS kind, printf('s%d - s%d', a, b) AS at, x1, y1, x2, y2, is_tree, NULL AS rank,
           NULL AS row, NULL AS "column", NULL AS slot, NULL AS count, NULL AS number
    FROM links
    UNION ALL
    SELECT run, 2, 'switch', printf('s%d', number), x, y, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, number
    FROM switches AS s
    UNION ALL
    SELECT p.run, 3, 'process', printf('s%d', p.switch), s.x, s.y, NULL, NULL, NULL, p.rank, p.row, p."column",
           row_number() OVER (PARTITION BY p.run, p.switch ORDER BY p.rank) - 1,
           count(*) OVER (PARTITION BY p.run, p.switch), p.switch
    FROM placed AS p
    JOIN switches AS s ON s.run = p.run AND s.number = p.switch
)
SELECT printf('%s: cardinality %.0f', d.placement, d.cardinality) AS panel,
       s.kind,
       s.at,
       s.rank AS process,
       s.x1, s.y1, s.x2, s.y2, s.is_tree, s.rank, s.row, s."column", z.rows, z.columns, s.slot,
       s.count, s.number, d.place
FROM shown AS s
JOIN drawn AS d ON d.run = s.run
JOIN size AS z ON z.run = s.run
WHERE d.run IN (SELECT run FROM network_switch)
ORDER BY d.place, s.kind_place, s.number, s.rank;
