-- How many times as long each contender of a panel and size takes as any other (race_pairs), whichever reference its
-- campaign took, with the 95 % interval over launches, NULL for one; itself is 1. side: 1 where it is shown to be
-- slower, -1 faster, 0 neither.
SELECT panel, size, contender, baseline, launches, exp(middle) AS ratio, exp(middle - reach) AS low,
       exp(middle + reach) AS high, race_side(middle, reach, control) AS side
FROM race_pairs
WHERE NOT is_twin
UNION ALL
SELECT DISTINCT panel, size, baseline, baseline, NULL, 1.0, NULL, NULL, NULL
FROM race_pairs
WHERE NOT is_twin
