-- title: Ranka, Wang, Kumar, Figure 4: random permutations of 1 KiB messages, time over its average (paper: 32-node CM-5, average 0.543 ms)
-- sweep: exchange-permutations
-- rows: workload = 'permutations' AND params ->> '$.permutation' = 'random'
-- rows: AND params ->> '$.size' = 1024 AND communication_s IS NOT NULL
-- table: exchange_permutations exchange_distribution
-- series: series
-- pivot: series
-- cells: cell
-- data: ranks at percent permutations
-- script: exchange-distribution
-- size: 1200x600
-- says: exchange_permutations
SELECT bin,
       series,
       cell,
       at,
       percent,
       permutations,
       ranks
FROM exchange_distribution
ORDER BY kind, ranks, at;
