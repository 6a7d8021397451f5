-- The ratio of each contender of a panel and size to any other (race_pairs), for any reference of its campaigns,
-- with the 95 % interval over launches, NULL for one; the ratio to itself is 1. side: 1 if it is significantly
-- slower, -1 faster, 0 neither. is_to_reference: in some launch of the two baseline was the reference, so this
-- contender was meant for that comparison.
SELECT panel, size, contender, baseline, is_to_reference, launches, exp(middle) AS ratio,
       exp(middle - reach) AS low, exp(middle + reach) AS high, race_side(middle, reach, noise) AS side
FROM race_pairs
WHERE NOT is_duplicate
UNION ALL
SELECT panel, size, baseline, baseline, max(is_to_reference), NULL, 1.0, NULL, NULL, NULL
FROM race_pairs
WHERE NOT is_duplicate
GROUP BY panel, size, baseline
