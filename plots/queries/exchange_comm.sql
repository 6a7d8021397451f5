-- table: exchange_cells exchange_rows exchange_pairs
-- panel: panel
-- series: schedule
-- style: style
-- pivot: schedule
-- cells: cell
-- data: ms low_ms high_ms instances
-- says: exchange-table5
--
-- The communication of a table of cells over the size of an item, a panel for each kind of number.
SELECT r.panel || ', ' || source AS panel,
       'comm ms' AS quantity,
       item_bytes,
       schedule,
       cell,
       value AS ms,
       low AS low_ms,
       high AS high_ms,
       instances,
       nullif(place, 99) AS style
FROM exchange_rows AS r
WHERE quantity = 'comm ms'
ORDER BY panel_place, r.panel, source_place, place, schedule, item_bytes;
