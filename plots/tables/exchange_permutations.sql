-- Every measured or simulated permutation (kind): a row for each sample of the points of permutations in `chosen`, with
-- the mean over its point, and its median and interval. distance is D of xor-D, NULL for random ones. If random ones
-- were measured with several counts or seeds, the point with the most samples counts, then the newest.
WITH points AS (
    SELECT *
    FROM (SELECT point, environment, kind, wait, ranks, n, communication_s,
                 communication_low_s, communication_high_s,
                 json_extract(params, '$.size') AS bytes,
                 json_extract(params, '$.permutation') AS permutation,
                 json_extract(params, '$.count') AS wanted,
                 row_number() OVER (PARTITION BY kind, ranks, json_extract(params, '$.size'),
                                        json_extract(params, '$.permutation')
                                    ORDER BY n DESC, started DESC, point) AS place
          FROM chosen)
    WHERE place = 1
)
SELECT p.kind,
       p.ranks,
       p.bytes,
       CASE WHEN p.permutation <> 'random'
            THEN CAST(substr(p.permutation, 5) AS INTEGER) END AS distance,
       p.n,
       p.wanted,
       s.communication_s AS s,
       avg(s.communication_s) OVER (PARTITION BY p.point, p.kind) AS mean_s,
       p.communication_s AS median_s,
       p.communication_low_s AS low_s,
       p.communication_high_s AS high_s
FROM points AS p
JOIN pooled_run AS r ON r.point = p.point AND r.environment = p.environment AND r.kind = p.kind
    AND r.wait = p.wait
JOIN sample AS s ON s.run = r.run;
