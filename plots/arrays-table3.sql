-- title: Kaddoura, Ranka, Wang, Table 3: by how many percent tile costs less than recursive bisection (rb2), latency 100 (ours and paper)
-- sweep: arrays-tables
-- rows: workload = 'stencil' AND kind = 'modelled' AND decomposition IN ('rb2', 'tile')
-- rows: AND params ->> '$.ratio' IS NOT NULL AND params ->> '$.instance' IS NULL
-- rows: AND coalesce(params ->> '$.latency', 0) = 100
-- paper: arrays-table3
-- table: arrays_costs arrays_gains arrays_cells
-- pivot: processors
-- cells: cell
-- data: value samples
-- says: arrays_gains
--
-- Of the mean costs over the draws; ratio is the largest to the least weight. The paper's cells are
-- means over 20 draws, rounded.
-- 'naive edges' counts corners where four parts meet as two: with random weights there are none, so it
-- changes cells of ratio 1 alone and is not what the paper's other cells came from.
SELECT array, ratio, source, processors, cell, value, samples
FROM arrays_cells
ORDER BY columns, ratio, source_place, processors;
