-- title: Ranka, Wang, Kumar, Table 3: permutations i xor D of 256 KiB messages, and random ones, ms (measured: here; simulated: on the platform named below; paper: their 32-node CM-5)
-- sweep: exchange-permutations
-- rows: workload = 'permutations' AND json_extract(params, '$.size') = 262144 AND communication_s IS NOT NULL
-- rows: AND kind <> 'modelled'
-- paper: exchange-table3
-- table: exchange_permutations
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

-- says
-- Table 3 of Ranka, Wang and Kumar: permutations within groups of 8 (D = 1, 2 and 4) take about 25 % less
-- time than random ones. It holds if the means of all three are 15 to 35 % less, in part if all are at
-- least 5 % less.
WITH near AS (
    SELECT source, ranks, min(value) AS least, max(value) AS most, min(n) AS n,
           CASE WHEN printf('%.3f', min(value)) = printf('%.3f', max(value))
                THEN printf('%.3f', min(value))
                ELSE printf('%.3f to %.3f', min(value), max(value)) END AS span
    FROM plotted
    WHERE quantity = 'over random' AND CAST(distance AS INTEGER) IN (1, 2, 4)
    GROUP BY source, ranks
),
far AS (
    SELECT source, ranks, group_concat(distance, ', ') AS distances,
           CASE WHEN printf('%.3f', min(value)) = printf('%.3f', max(value))
                THEN printf('%.3f', min(value))
                ELSE printf('%.3f to %.3f', min(value), max(value)) END AS span
    FROM plotted
    WHERE quantity = 'over random' AND CAST(distance AS INTEGER) > 4
    GROUP BY source, ranks
)
SELECT n.source AS kind, 'Permutations within groups of 8 take about 25 % less than random ones (3.2)' AS claim,
       CASE WHEN n.least >= 0.65 AND n.most <= 0.85 THEN 'yes'
            WHEN n.most <= 0.95 THEN 'partly'
            ELSE 'no' END AS holds,
       printf('%d ranks: %s of the mean time of random ones%s (paper: %s, %s); means of at least %d %s%s.',
              n.ranks, n.span, coalesce(', ' || f.span || ' at D = ' || f.distances, ''), p.span, q.span,
              n.n, iif(n.n = 1, 'sample', 'samples'),
              iif(n.least > 0.95, ': near pairs are no faster here than far ones, as they were on the CM-5', ''))
           AS sentence
FROM near AS n
LEFT JOIN far AS f ON f.source = n.source AND f.ranks = n.ranks
JOIN near AS p ON p.source = 'paper'
JOIN far AS q ON q.source = 'paper'
WHERE n.source <> 'paper'
ORDER BY n.source, n.ranks;
