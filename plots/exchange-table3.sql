-- title: Ranka, Wang, Kumar, Table 3: permutations i xor D of 256 KiB messages, and random ones, ms (measured: here; simulated: on the platform named below; paper: their 32-node CM-5)
-- sweep: exchange-permutations
-- rows: workload = 'permutations' AND json_extract(params, '$.size') = 262144 AND communication_s IS NOT NULL
-- rows: AND kind <> 'modelled'
-- paper: exchange-table3
-- table: exchange_permutations
-- says: exchange_distances
-- pivot: distance
-- cells: cell
-- data: value low high n
--
-- A column for each distance, within groups of 2 D neighbours. As in the paper times are means, over the samples; the
-- medians [95 % interval] show the effect of a few slow samples on the means. 'over random' is the mean over that of
-- random permutations.
WITH means AS (
    SELECT kind, ranks, distance, mean_s, median_s, low_s, high_s, count(*) AS n
    FROM exchange_permutations
    GROUP BY kind, ranks, distance
),
theirs AS (
    SELECT CASE WHEN distance <> 'ave' THEN distance END AS distance, comm_ms AS ms,
           comm_ms / (SELECT comm_ms FROM paper WHERE distance = 'ave') AS ratio
    FROM paper
),
lines AS (
    SELECT ranks, 1 AS place, kind AS source, 'mean ms' AS quantity, distance,
           1000 * mean_s AS value, NULL AS low, NULL AS high, n
    FROM means
    UNION ALL
    SELECT ranks, 2, kind, 'median ms', distance, 1000 * median_s, 1000 * low_s, 1000 * high_s, n
    FROM means
    UNION ALL
    SELECT m.ranks, 3, m.kind, 'over random', m.distance, m.mean_s / r.mean_s, NULL, NULL, m.n
    FROM means AS m
    JOIN means AS r ON r.kind = m.kind AND r.ranks = m.ranks AND r.distance IS NULL
    UNION ALL
    SELECT 32, 1, 'paper', 'mean ms', distance, ms, NULL, NULL, NULL
    FROM theirs
    UNION ALL
    SELECT 32, 2, 'paper', 'over random', distance, ratio, NULL, NULL, NULL
    FROM theirs
)
SELECT ranks,
       source,
       quantity,
       coalesce(distance, 'random') AS distance,
       CASE WHEN low IS NOT NULL THEN printf('%.4g [%.4g, %.4g]', value, low, high)
            WHEN quantity = 'over random' THEN printf('%.3f', value)
            ELSE printf('%.5g', value) END AS cell,
       value,
       low,
       high,
       n
FROM lines
-- Distances come first, which orders the columns; random ones are last.
ORDER BY lines.distance IS NULL, CAST(lines.distance AS INTEGER), ranks,
         source = 'paper', source, place;
