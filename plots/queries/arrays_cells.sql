-- table: arrays_costs arrays_gains arrays_cells
-- pivot: processors
-- cells: cell
-- data: value samples
-- says: arrays_gains
--
-- The saving of one decomposition against another, ours and the paper's, by size of array.
SELECT array, ratio, source, processors, cell, value, samples
FROM arrays_cells
ORDER BY columns, ratio, source_place, processors;
