-- title: Each campaign, the newest first
--
-- machine is that of the newest known launch. not ok are runs that failed; interrupted are runs
-- that were stopped before their end. Neither is in any table or figure.
WITH ran AS (
    SELECT r.campaign, r.kind, r.status, r.point, r.started, j.environment, j.facts,
           row_number() OVER (PARTITION BY r.campaign ORDER BY r.started DESC, r.id) AS nth
    FROM run AS r
    JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
)
SELECT c.id AS campaign,
       c.workload,
       group_concat(DISTINCT r.kind) AS kind,
       count(DISTINCT r.point) || iif(c.points > count(DISTINCT r.point), ' of ' || c.points, '') AS points,
       count(*) AS runs,
       sum(r.status NOT IN ('ok', 'interrupted')) AS "not ok",
       sum(r.status = 'interrupted') AS interrupted,
       date(min(r.started)) AS first,
       date(max(r.started)) AS last,
       coalesce(max(iif(r.nth = 1, json_extract(r.facts, '$.hosts[0]'), NULL)), '') AS host,
       max(iif(r.nth = 1, substr(r.environment, 1, 8), NULL)) AS environment
FROM ran AS r
JOIN campaign AS c ON c.id = r.campaign
GROUP BY c.id
ORDER BY max(r.started) DESC, c.id;
