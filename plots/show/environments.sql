-- A row for each environment, with all that describes it, for programs. A launch that ended before its
-- ranks has none.
SELECT substr(e.id, 1, 16) AS environment, count(DISTINCT j.campaign || '/' || j.id) AS jobs,
       count(r.id) AS runs, max(r.started) AS latest, e.described
FROM environment AS e
JOIN job AS j ON j.environment = e.id
LEFT JOIN run AS r ON r.campaign = j.campaign AND r.job = j.id
WHERE json_extract(j.facts, '$.failed') IS NULL
GROUP BY e.id
ORDER BY latest, e.id
