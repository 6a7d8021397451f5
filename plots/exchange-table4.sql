-- title: Ranka, Wang, Kumar, Table 4: compressing the matrix of messages, building heaps and sorting rows, over the rest of scheduling (ours; paper: CM-5 node)
-- sweep: exchange-table4
-- rows: workload = 'exchange' AND placement IS NULL AND ranks = 32 AND pattern = 'uniform'
-- rows: AND contender IN ('rs-n', 'rs-n-sort', 'rs-nh')
-- rows: AND kind = 'measured'
-- paper: exchange-table4
-- pivot: quantity
-- cells: ours paper
-- data: value instances paper_value
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

-- says
-- Table 4 of Ranka, Wang and Kumar: relative to computing the schedule, compressing COM and building the
-- heaps cost only a small part, which falls as messages grow more; sorting the rows is expensive. The first
-- two hold if all fractions are below a quarter (theirs are at most 0.206), in part if at least half are.
-- The last holds if sorting costs as much as the rest at some degree, in part if it costs at least a
-- quarter.
WITH known AS (
    SELECT quantity, count(*) AS degrees, total(value < 0.25) AS small, max(value) AS most,
           group_concat(printf('%.2g', value), ', ') AS ours,
           group_concat(printf('%.2g', paper_value), ', ') AS paper,
           group_concat(degree, ', ') AS at, min(instances) AS least_instances,
           max(instances) AS most_instances
    FROM (SELECT * FROM plotted WHERE value IS NOT NULL ORDER BY degree)
    GROUP BY quantity
)
SELECT 'measured' AS kind,
       CASE quantity WHEN 'compress' THEN 'Compressing COM is a small part of scheduling (7.3)'
                     WHEN 'heap' THEN 'Building heaps is a small part of scheduling (7.3)'
                     ELSE 'Sorting rows is expensive compared with scheduling (7.3)' END AS claim,
       CASE WHEN quantity = 'sort'
            THEN CASE WHEN most >= 1 THEN 'yes' WHEN most >= 0.25 THEN 'partly' ELSE 'no' END
            WHEN small = degrees THEN 'yes'
            WHEN small >= 0.5 * degrees THEN 'partly'
            ELSE 'no' END AS holds,
       printf('%s times the rest of it at d = %s (paper: %s); means of %s instance%s.',
              ours, at, paper,
              CASE WHEN least_instances = most_instances THEN printf('%d', most_instances)
                   ELSE printf('%d to %d', least_instances, most_instances) END,
              iif(most_instances = 1, '', 's')) AS sentence
FROM known
ORDER BY quantity;
