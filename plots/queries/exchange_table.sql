-- table: exchange_cells exchange_rows exchange_pairs
-- pivot: schedule
-- cells: cell
-- data: value low high instances
-- says: exchange_order
SELECT panel, quantity, item_bytes, source, schedule, cell, value, low, high, instances
FROM exchange_rows
ORDER BY panel_place, panel, quantity, item_bytes, source_place, place, schedule;
