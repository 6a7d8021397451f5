-- Draws with a known least cost of all layouts: the excess of each decomposition in percent, and a flag if
-- the best layout is a pinwheel. A pinwheel has no cut that goes all the way through, neither from top to
-- bottom nor from left to right. (A pinwheel of five parts in an array of six, with one part cut off, has
-- such a cut: is_pinwheel is for five parts, and a lower bound for six.)
WITH drawn AS (
    SELECT point, latest, ranks AS parts, decomposition, cost, seed,
           json_extract(params, '$.rows') AS rows,
           json_extract(params, '$.columns') AS columns,
           json_extract(params, '$.ratio') AS ratio,
           coalesce(json_extract(params, '$.latency'), 0) AS latency,
           instance_number AS number
    FROM chosen
    WHERE json_extract(params, '$.instance') IS NOT NULL
      AND json_extract(params, '$.edges') IS NULL
),
best AS (
    SELECT d.*,
           NOT EXISTS (SELECT 1 FROM rectangle AS c
                       WHERE c.run = d.latest AND c.first_column > 1e-6
                         AND NOT EXISTS (SELECT 1 FROM rectangle AS r
                                         WHERE r.run = d.latest
                                           AND r.first_column < c.first_column - 1e-6
                                           AND r.first_column + r.columns > c.first_column + 1e-6))
           AND NOT EXISTS (SELECT 1 FROM rectangle AS c
                           WHERE c.run = d.latest AND c.first_row > 1e-6
                             AND NOT EXISTS (SELECT 1 FROM rectangle AS r
                                             WHERE r.run = d.latest
                                               AND r.first_row < c.first_row - 1e-6
                                               AND r.first_row + r.rows > c.first_row + 1e-6))
           AS is_pinwheel
    FROM drawn AS d
    WHERE decomposition = 'optimal'
)
SELECT d.parts, d.rows, d.columns, d.ratio, d.latency, d.seed, d.number, d.decomposition, a.place,
       b.is_pinwheel,
       max(0, round(100 * (d.cost / b.cost - 1), 9)) AS excess
FROM drawn AS d
JOIN best AS b ON b.parts = d.parts AND b.rows = d.rows AND b.columns = d.columns
    AND b.ratio = d.ratio AND b.latency = d.latency AND b.seed = d.seed AND b.number = d.number
JOIN decompositions AS a ON a.name = d.decomposition
