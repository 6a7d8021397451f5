-- title: Ranka, Wang, Kumar, Table 6: skewed patterns, ms (measured: here; simulated: on the platform named below; model: theirs; paper: their 32-node CM-5)
-- sweep: exchange-table6
-- rows: workload = 'exchange' AND placement IS NULL AND ranks = 32 AND network IS NULL AND contender = schedule
-- rows: AND pattern = 'skewed'
-- paper: exchange-table6
-- table: exchange_cells exchange_rows
-- pivot: schedule
-- cells: cell
-- data: value low high instances
-- says: exchange_order
--
-- comm is the communication, comp computing the schedule once, phases their number; the paper has one
-- comp and one phases row for all units. What a cell is a mean of, and its interval:
-- tables/exchange_cells.sql.
SELECT panel, quantity, unit, source, schedule, cell, value, low, high, instances
FROM exchange_rows
ORDER BY panel_place, panel, quantity, unit, source_place, place, schedule;
