SELECT bin,
       series,
       cell,
       at,
       percent,
       permutations,
       ranks
FROM exchange_distribution
ORDER BY kind, ranks, at;
