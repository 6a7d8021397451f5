-- Mean costs of decompositions over random weights: a row for each array, ratio, number of processors,
-- latency, way of counting edges and decomposition. Among several numbers of draws the largest counts.
SELECT rows, columns, ratio, processors, latency, edges, decomposition, samples, acost, cost, decompose_s
FROM (SELECT *,
             row_number() OVER (PARTITION BY rows, columns, ratio, processors, latency, edges, decomposition
                                ORDER BY samples DESC, seed) AS newest
      FROM (SELECT json_extract(params, '$.rows') AS rows,
                   json_extract(params, '$.columns') AS columns,
                   json_extract(params, '$.ratio') AS ratio,
                   ranks AS processors,
                   coalesce(json_extract(params, '$.latency'), 0) AS latency,
                   coalesce(json_extract(params, '$.edges'), 'exact') AS edges,
                   decomposition,
                   coalesce(json_extract(params, '$.samples'), 1) AS samples,
                   seed, acost, cost, decompose_s
            FROM chosen
            WHERE json_extract(params, '$.ratio') IS NOT NULL
              AND json_extract(params, '$.instance') IS NULL))
WHERE newest = 1
