-- The rows of Tables 5, 6 and 7 from the table exchange_cells: measured, simulated, model and paper
-- below one another, with the cell as text.
WITH sources (source, source_place) AS (
    VALUES ('measured', 1), ('simulated', 2), ('model', 3), ('paper', 4)
),
cells AS (
    SELECT c.panel, c.panel_place, c.place, c.quantity, c.item_bytes, c.schedule, s.source,
           s.source_place,
           CASE s.source WHEN 'measured' THEN c.ours WHEN 'simulated' THEN c.simulated
                         WHEN 'model' THEN c.model ELSE c.paper END AS value,
           CASE s.source WHEN 'measured' THEN c.ours_low
                         WHEN 'simulated' THEN c.simulated_low END AS low,
           CASE s.source WHEN 'measured' THEN c.ours_high
                         WHEN 'simulated' THEN c.simulated_high END AS high,
           CASE s.source WHEN 'measured' THEN c.n WHEN 'simulated' THEN c.simulated_n
                         WHEN 'model' THEN c.model_n END AS instances
    FROM exchange_cells AS c
    CROSS JOIN sources AS s
)
SELECT panel,
       panel_place,
       source_place,
       place,
       quantity,
       item_bytes,
       source,
       schedule,
       CASE WHEN low IS NOT NULL THEN printf('%.4g [%.4g, %.4g]', value, low, high)
            ELSE printf('%.4g', value) END AS cell,
       value,
       low,
       high,
       instances
FROM cells
WHERE value IS NOT NULL;
