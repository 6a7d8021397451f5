-- title: Kaddoura, Ranka, Wang, Figure 16: 1000 x 3000 cells in parts of 50 %, 10 % (four) and 5 % (two), and the cost of five algorithms
-- sweep: arrays-figure16
-- options: --modelled
-- rows: workload = 'stencil' AND kind = 'modelled' AND ranks = 7
-- rows: AND json_extract(params, '$.weights') = '0.5,0.1,0.1,0.1,0.1,0.05,0.05'
-- rows: AND json_extract(params, '$.rows') = 1000 AND json_extract(params, '$.columns') = 3000
-- rows: AND decomposition IN ('rb', 'xy2', 'tile', 'rb2', 'rb3') AND json_extract(params, '$.latency') IS NULL
-- paper: arrays-figure16
-- panel: panel
-- pivot: decomposition
-- cells: cell
-- data: panel owner share first_row first_column rows columns array_rows array_columns letter place
-- script: arrays-rectangles
-- size: 1200x720
--
-- A part's cell has its first row and column, and its rows x columns. Panels have the paper's letters.
WITH rectangles AS (
    SELECT m.point, m.decomposition, m.ranks, m.acost, m.bcost, m.internal_edges,
           json_extract(m.params, '$.weights') AS weights,
           json_extract(m.params, '$.rows') AS array_rows,
           json_extract(m.params, '$.columns') AS array_columns,
           r.owner, r.first_row, r.first_column, r.rows, r.columns,
           r.rows * r.columns / (json_extract(m.params, '$.rows') * json_extract(m.params, '$.columns')) AS share
    FROM chosen AS m
    JOIN rectangle AS r ON r.run = m.latest
),
known AS (
    SELECT r.*, p.acost AS paper_acost, p.panel AS letter,
           printf('(%s) %s: Acost %.6g (paper: %d)', p.panel, r.decomposition, r.acost, p.acost) AS panel
    FROM rectangles AS r
    LEFT JOIN paper AS p ON p.decomposition = r.decomposition
)
SELECT panel,
       'Acost' AS what,
       decomposition,
       printf('%.6g', acost) AS cell,
       NULL AS owner, NULL AS share, NULL AS first_row, NULL AS first_column,
       NULL AS rows, NULL AS columns, NULL AS array_rows, NULL AS array_columns,
       letter, 1 AS place
FROM known
WHERE owner = 0
UNION ALL
SELECT panel, 'Acost, paper', decomposition, printf('%d', paper_acost),
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, letter, 2
FROM known
WHERE owner = 0
UNION ALL
SELECT panel, 'internal edges', decomposition, printf('%d', internal_edges),
       NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, letter, 3
FROM known
WHERE owner = 0
UNION ALL
SELECT panel, printf('part %d, %g %%', owner, 100 * share), decomposition,
       printf('%.4g, %.4g: %.4g x %.4g', first_row, first_column, rows, columns),
       owner, share, first_row, first_column, rows, columns, array_rows, array_columns,
       letter, 4 + owner
FROM known
ORDER BY letter, place;

-- says
-- Figure 16 of Kaddoura, Ranka and Wang: the Acost of each decomposition, as printed, in whole numbers.
WITH known AS (
    SELECT o.decomposition, CAST(o.cell AS REAL) AS ours, CAST(p.cell AS REAL) AS paper
    FROM plotted AS o
    JOIN plotted AS p ON p.decomposition = o.decomposition AND p.what = 'Acost, paper'
    WHERE o.what = 'Acost'
)
SELECT 'modelled' AS kind, 'The Acost of each decomposition' AS claim,
       CASE WHEN total(abs(ours - paper) < 1) = count(*) THEN 'yes'
            WHEN total(abs(ours - paper) < 1) = 0 THEN 'no' ELSE 'partly' END AS printed,
       group_concat(printf('%s %g (%g)', decomposition, ours, paper), ', ') || '.' AS sentence
FROM known
GROUP BY NULL HAVING count(*) > 0;
