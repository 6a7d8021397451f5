-- title: Runs that did not end well or were interrupted: in no table and no figure
--
-- Grouped by workload and reason; still is the number of points that have no good run either. Jobs that
-- ended before a rank was started, and so have no run, are included.
WITH bad AS (
    SELECT p.workload, r.status, coalesce(r.message, '') AS reason, r.campaign, r.point,
           NOT EXISTS (SELECT 1 FROM run AS g WHERE g.point = r.point AND g.status = 'ok'
                       AND g.kind = r.kind) AS still
    FROM run AS r
    JOIN point AS p ON p.id = r.point
    WHERE r.status <> 'ok'
)
SELECT workload, status, reason, count(*) AS runs, count(DISTINCT point) AS points,
       count(DISTINCT CASE WHEN still THEN point END) AS "still missing",
       min(campaign) || CASE WHEN count(DISTINCT campaign) > 1
           THEN printf(' and %d more', count(DISTINCT campaign) - 1) ELSE '' END AS campaign
FROM bad
GROUP BY workload, status, reason
UNION ALL
SELECT c.workload, 'not started', json_extract(j.facts, '$.failed'), 0, NULL, NULL,
       min(j.campaign) || CASE WHEN count(DISTINCT j.campaign) > 1
           THEN printf(' and %d more', count(DISTINCT j.campaign) - 1) ELSE '' END
FROM job AS j
JOIN campaign AS c ON c.id = j.campaign
WHERE json_extract(j.facts, '$.failed') IS NOT NULL
GROUP BY c.workload, json_extract(j.facts, '$.failed')
ORDER BY runs DESC, workload, status, reason;
