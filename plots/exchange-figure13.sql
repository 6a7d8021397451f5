-- title: Ranka, Wang, Kumar, Figure 13: random patterns of d messages a rank (dash-dotted: simulated; dotted: their cost model; dashed: their 32-node CM-5)
-- sweep: exchange-table5
-- rows: workload = 'exchange' AND placement IS NULL AND ranks = 32 AND network IS NULL AND algorithm = untuned
-- rows: AND pattern = 'uniform' AND density IN (8, 16)
-- paper: exchange-table5
-- table: exchange_cells
-- panel: panel
-- series: algorithm
-- style: style
-- script: exchange-comm
-- size: 1200x560
-- says: exchange_order
--
-- The figure draws the numbers of table 5.
SELECT panel,
       algorithm,
       unit,
       ours AS ours_ms,
       ours_low AS low_ms,
       ours_high AS high_ms,
       simulated AS simulated_ms,
       model AS model_ms,
       paper AS paper_ms,
       style
FROM exchange_cells
WHERE quantity = 'comm ms'
ORDER BY panel_place, panel, place, algorithm, unit;
