SELECT panel, quantity, unit, source, schedule, cell, value, low, high, instances
FROM exchange_rows
ORDER BY panel_place, panel, quantity, unit, source_place, place, schedule;
