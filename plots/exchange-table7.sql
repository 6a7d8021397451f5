-- title: Ranka, Wang, Kumar, Table 7: mesh exchange, ms (measured: ours [95 % interval]; model: ours by their cost model; paper: 32-node CM-5)
-- sweep: exchange-table7
-- rows: workload = 'exchange' AND ranks = 32 AND network IS NULL
-- rows: AND pattern = 'mesh' AND partition = 'rcb' AND mesh IN ('wing-2800', 'wing-53961') AND overlap = 0
-- paper: exchange-table7
-- table: exchange_cells
-- pivot: algorithm
-- cells: cell
-- data: value low high instances
--
-- comm is the communication, comp computing the schedule once, phases their number. What a cell is a
-- mean of, and its interval: tables/exchange_cells.sql.
WITH sources (source, source_place) AS (VALUES ('measured', 1), ('model', 2), ('paper', 3)),
cells AS (
    SELECT c.*, s.source, s.source_place,
           CASE s.source WHEN 'measured' THEN c.ours WHEN 'model' THEN c.model ELSE c.paper END
               AS value
    FROM exchange_cells AS c
    CROSS JOIN sources AS s
)
SELECT panel,
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
       CASE source WHEN 'measured' THEN n END AS instances
FROM cells
WHERE value IS NOT NULL
ORDER BY panel_place, panel, quantity, unit, source_place, place, algorithm;
