-- The rows of Tables 5, 6 and 7 from the table exchange_cells: measured, model and paper below one
-- another, with the cell as text.
WITH sources (source, source_place) AS (VALUES ('measured', 1), ('model', 2), ('paper', 3)),
cells AS (
    SELECT c.*, s.source, s.source_place,
           CASE s.source WHEN 'measured' THEN c.ours WHEN 'model' THEN c.model ELSE c.paper END
               AS value
    FROM exchange_cells AS c
    CROSS JOIN sources AS s
)
SELECT panel,
       panel_place,
       source_place,
       place,
       quantity,
       unit,
       source,
       algorithm,
       CASE WHEN value IS NULL THEN NULL
            WHEN source = 'measured' AND ours_low IS NOT NULL
                THEN printf('%.4g [%.4g %.4g]', value, ours_low, ours_high)
            ELSE printf('%.4g', value) END AS cell,
       value,
       CASE source WHEN 'measured' THEN ours_low END AS low,
       CASE source WHEN 'measured' THEN ours_high END AS high,
       CASE source WHEN 'measured' THEN n WHEN 'model' THEN model_n END AS instances
FROM cells
WHERE value IS NOT NULL;
