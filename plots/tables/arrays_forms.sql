-- Figures 5 to 8: Acost and Bcost of an array's layouts by the paper's formulas, and of our decompositions
-- of the same array. There is a row for each array, measure and layout or decomposition. m = rows <= n =
-- columns, a1 >= a2 >= .. are the shares; costs are multiples of m, so all follow from n / m.
WITH arrays AS (
    SELECT point, ranks AS parts, decomposition, acost, bcost,
           json_extract(params, '$.rows') AS m,
           json_extract(params, '$.columns') AS n,
           '[' || json_extract(params, '$.weights') || ']' AS weights
    FROM chosen
    WHERE json_extract(params, '$.weights') LIKE '%,%'
),
shares AS (
    SELECT point, row_number() OVER (PARTITION BY point ORDER BY value DESC) AS place,
           value / sum(value) OVER (PARTITION BY point) AS share
    FROM arrays, json_each(weights)
),
known AS (
    SELECT a.*,
           1.0 * n / m AS x,
           (SELECT share FROM shares AS s WHERE s.point = a.point AND place = 2) AS a2,
           (SELECT share FROM shares AS s WHERE s.point = a.point AND place = 3) AS a3,
           (SELECT share FROM shares AS s WHERE s.point = a.point AND place = 4) AS a4
    FROM arrays AS a
),
forms (parts, figure, layout, acost, bcost, x) AS (
    SELECT parts, '5', '(a)', 1, 2, x FROM known WHERE parts = 2
    UNION
    SELECT parts, '5', '(b)', x, 2 * x, x FROM known WHERE parts = 2
    UNION
    SELECT parts, '6', '(a)', 1 + x * (a2 + a3), 2 + 2 * x * (a2 + a3), x FROM known WHERE parts = 3
    UNION
    SELECT parts, '6', '(b)', x + (a2 + a3), 2 * x + 2 * (a2 + a3), x FROM known WHERE parts = 3
    UNION
    SELECT parts, '6', '(c)', 2, 3, x FROM known WHERE parts = 3
    UNION
    SELECT parts, '7', '(a)', 3, 4, x FROM known WHERE parts = 4
    UNION
    SELECT parts, '7', '(b)', 2 + x * (a3 + a4), 3 + 2 * x * (a3 + a4), x FROM known WHERE parts = 4
    UNION
    SELECT parts, '7', '(c)', 1 + 2 * x * (a2 + a3 + a4), 2 + 3 * x * (a2 + a3 + a4), x
    FROM known WHERE parts = 4
    UNION
    SELECT parts, '7', '(d)', 1 + x, 2 + 2 * x, x FROM known WHERE parts = 4
    UNION
    SELECT parts, '8', 'of Figure 8', 1 + (a3 + a4) / (a2 + a3 + a4) + x * (a2 + a3 + a4),
           2 + (a3 + a4) / (a2 + a3 + a4) + 2 * x * (a2 + a3 + a4), x
    FROM known WHERE parts = 4
),
measures (measure, place) AS (
    VALUES ('Acost / m', 1), ('Bcost / m', 2)
)
SELECT s.parts, s.x, q.measure, q.place AS measure_place, s.figure, s.series, s.is_form, s.place,
       CASE q.place WHEN 1 THEN s.acost ELSE s.bcost END AS value
FROM (SELECT parts, x, figure, 'layout ' || layout AS series, 1 AS is_form, 0 AS place, acost, bcost
      FROM forms
      UNION ALL
      SELECT k.parts, k.x, 'ours', k.decomposition, 0, a.place, 1.0 * k.acost / k.m, 1.0 * k.bcost / k.m
      FROM known AS k
      JOIN decompositions AS a ON a.name = k.decomposition) AS s
CROSS JOIN measures AS q
