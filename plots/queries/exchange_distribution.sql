-- table: exchange_permutations exchange_distribution
-- series: series
-- pivot: series
-- cells: cell
-- data: ranks at percent permutations
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
