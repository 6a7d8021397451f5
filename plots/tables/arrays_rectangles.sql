-- The parts of arrays that were cut once: a row each, with its share of the array, the array and the
-- cost of its decomposition.
SELECT m.point, m.decomposition, m.ranks, m.acost, m.bcost, m.internal_edges,
       json_extract(m.params, '$.weights') AS weights,
       json_extract(m.params, '$.rows') AS array_rows,
       json_extract(m.params, '$.columns') AS array_columns,
       r.owner, r.first_row, r.first_column, r.rows, r.columns,
       r.rows * r.columns / (json_extract(m.params, '$.rows') * json_extract(m.params, '$.columns')) AS share
FROM chosen AS m
JOIN rectangle AS r ON r.run = m.latest
