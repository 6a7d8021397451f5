-- A row for each campaign, with its runs by how they ended.
SELECT c.id AS campaign, c.workload, c.created, c.points AS planned,
       count(DISTINCT r.point) AS points, count(r.id) AS runs,
       count(r.id) FILTER (WHERE r.status = 'ok') AS ok,
       count(r.id) FILTER (WHERE r.status NOT IN ('ok', 'interrupted')) AS not_ok,
       count(r.id) FILTER (WHERE r.status = 'interrupted') AS interrupted,
       max(r.started) AS latest
FROM campaign AS c
LEFT JOIN run AS r ON r.campaign = c.id
GROUP BY c.id
ORDER BY c.id
