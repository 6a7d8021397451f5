-- The launches of the races of `chosen`: a row for each contender of a launch, and for its duplicate (launch_ratio).
SELECT c.instance, c.ranks, c.environment, c.point, l.run, l.contender AS role, l.race, l.campaign, l.job, l.ratio,
       l.median_s, l.moot, coalesce(l.until_known, 0) AS known
FROM chosen AS c
JOIN launch_ratio AS l ON l.point = c.point AND l.environment = c.environment AND l.kind = c.kind AND l.wait = c.wait
