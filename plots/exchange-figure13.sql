-- title: Ranka, Wang, Kumar, Figure 13: communication of random patterns, d messages a rank (model: theirs; paper: their 32-node CM-5)
-- sweep: exchange-table5
-- rows: workload = 'exchange' AND placement IS NULL AND ranks = 32 AND network IS NULL AND contender = schedule
-- rows: AND pattern = 'uniform' AND density IN (8, 16)
-- paper: exchange-table5
-- table: exchange_cells exchange_rows
-- panel: panel
-- series: schedule
-- style: style
-- pivot: schedule
-- cells: cell
-- data: ms low_ms high_ms instances
-- script: exchange-comm
-- size: 1300x760
-- says: exchange_order
--
-- The figure draws the communication times of table 5, a panel for each kind of number; over the size of a
-- unit, so that a line is level where time is in proportion to size.
SELECT r.panel || ', ' || source AS panel,
       'comm ms' AS quantity,
       unit,
       schedule,
       cell,
       value AS ms,
       low AS low_ms,
       high AS high_ms,
       instances,
       nullif(place, 99) AS style
FROM exchange_rows AS r
WHERE quantity = 'comm ms'
ORDER BY panel_place, r.panel, source_place, place, schedule, unit;
