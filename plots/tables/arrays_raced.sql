-- The ratio of one decomposition to another if both raced in a race. For each pair of points it is the row of the
-- view `against` with most launches, with its interval; side is -1 if the first is significantly faster.
SELECT point, baseline, environment, wait, max(launches) AS launches, ratio,
       ratio * exp(-reach) AS low, ratio * exp(reach) AS high, side
FROM against
WHERE kind = 'measured'
GROUP BY point, baseline, environment, wait
