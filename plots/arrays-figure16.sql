-- title: Kaddoura, Ranka, Wang, Figure 16: 1000 x 3000 cells in parts of 50 %, 10 % (four) and 5 % (two), and the cost of five algorithms
-- sweep: arrays-figure16
-- options: --modelled
-- rows: workload = 'stencil' AND kind = 'modelled' AND ranks = 7
-- rows: AND json_extract(params, '$.weights') = '0.5,0.1,0.1,0.1,0.1,0.05,0.05'
-- rows: AND json_extract(params, '$.rows') = 1000 AND json_extract(params, '$.columns') = 3000
-- rows: AND decomposition IN ('rb', 'xy2', 'tile', 'rb2', 'rb3') AND json_extract(params, '$.latency') IS NULL
-- paper: arrays-figure16
-- table: arrays_rectangles
-- panel: panel
-- pivot: decomposition
-- cells: cell
-- data: panel owner share first_row first_column rows columns array_rows array_columns letter place
-- script: arrays-rectangles
-- size: 1200x720
-- says: arrays_figure16
--
-- A part's cell has its first row and column, and its rows x columns. Panels have the paper's letters.
WITH known AS (
    SELECT r.*, p.acost AS paper_acost, p.panel AS letter,
           printf('(%s) %s: Acost %.6g (paper: %d)', p.panel, r.decomposition, r.acost, p.acost) AS panel
    FROM arrays_rectangles AS r
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
