-- A row for each run, in the order of their beginnings.
SELECT substr(r.hash, 1, 8) AS run, r.started, r.campaign, r.job, p.contender, p.ranks, r.status,
       r.samples AS n, r.communication_s, r.step_s, r.stopped, r.oversubscribed, r.message,
       substr(r.point, 1, 8) AS point
FROM run AS r
JOIN point AS p ON p.id = r.point
ORDER BY r.started, r.id
