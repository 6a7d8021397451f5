-- Mean costs of decompositions over random weights: a row for each array, ratio, number of processors,
-- latency, way of counting edges and decomposition; of several numbers of draws the largest.
SELECT rows, columns, ratio, processors, latency, edges, decomposition, samples, acost, cost, decompose_s
FROM (SELECT *,
             row_number() OVER (PARTITION BY rows, columns, ratio, processors, latency, edges, decomposition
                                ORDER BY samples DESC, seed) AS newest
      FROM (SELECT params ->> '$.rows' AS rows,
                   params ->> '$.columns' AS columns,
                   params ->> '$.ratio' AS ratio,
                   ranks AS processors,
                   coalesce(params ->> '$.latency', 0) AS latency,
                   coalesce(params ->> '$.edges', 'exact') AS edges,
                   decomposition,
                   coalesce(params ->> '$.samples', 1) AS samples,
                   seed, acost, cost, decompose_s
            FROM chosen
            WHERE params ->> '$.ratio' IS NOT NULL
              AND params ->> '$.instance' IS NULL))
WHERE newest = 1
