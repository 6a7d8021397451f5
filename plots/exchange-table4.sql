-- title: Ranka, Wang, Kumar, Table 4: compressing the matrix of messages, building heaps and sorting rows, over the rest of scheduling (ours; paper: CM-5 node)
-- sweep: exchange-table4
-- rows: workload = 'exchange' AND placement IS NULL AND ranks = 32 AND pattern = 'uniform'
-- rows: AND contender IN ('rs-n', 'rs-n-sort', 'rs-nh')
-- rows: AND kind = 'measured'
-- paper: exchange-table4
-- pivot: quantity
-- cells: ours paper
-- data: value instances paper_value
-- says: exchange_overhead
--
-- The column compress is COM made sparse, sequentially, over the scheduling of rs-n. heap is building the heaps over
-- the rest of rs-nh; sort is sorting the rows over the rest of rs-n-sort. Means over the instances.
WITH ratios AS (
    SELECT degree, 'compress' AS quantity, compress_s / schedule_s AS value
    FROM chosen
    WHERE contender = 'rs-n'
    UNION ALL
    SELECT degree, 'heap', heap_s / (schedule_s - heap_s)
    FROM chosen
    WHERE contender = 'rs-nh'
    UNION ALL
    SELECT degree, 'sort', sort_s / (schedule_s - sort_s)
    FROM chosen
    WHERE contender = 'rs-n-sort'
),
ours AS (
    SELECT degree, quantity, avg(value) AS value, count(value) AS instances
    FROM ratios
    GROUP BY degree, quantity
),
theirs AS (
    SELECT degree, 'compress' AS quantity, compress AS value FROM paper
    UNION ALL
    SELECT degree, 'heap', heap FROM paper
    UNION ALL
    SELECT degree, 'sort', sort FROM paper
),
keys AS (SELECT degree, quantity FROM ours UNION SELECT degree, quantity FROM theirs)
SELECT k.degree,
       k.quantity,
       CASE WHEN o.value IS NULL THEN NULL ELSE printf('%.3g', o.value) END AS ours,
       CASE WHEN t.value IS NULL THEN NULL ELSE printf('%.3g', t.value) END AS paper,
       o.value AS value,
       o.instances,
       t.value AS paper_value
FROM keys AS k
LEFT JOIN ours AS o ON o.degree = k.degree AND o.quantity = k.quantity
LEFT JOIN theirs AS t ON t.degree = k.degree AND t.quantity = k.quantity
ORDER BY k.degree, k.quantity;
