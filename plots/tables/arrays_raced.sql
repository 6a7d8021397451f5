-- How many times as long one decomposition takes as another where both raced in a heat: of each pair of points
-- that row of the view against which has most launches, with its interval; side is -1 where it is shown to be faster.
SELECT point, baseline, environment, wait, max(launches) AS launches, ratio,
       ratio * exp(-reach) AS low, ratio * exp(reach) AS high, side
FROM against
WHERE kind = 'measured'
GROUP BY point, baseline, environment, wait
