-- title: Where it ran
--
-- A row for each environment and kind; hosts are those of all its launches. buffer_bytes is the size of a port's
-- queue before it drops packets, if a file in the profile gives it; empty values are unknown.
WITH launches AS (
    SELECT j.environment, r.kind, j.facts, count(*) AS runs, min(r.started) AS first,
           max(r.started) AS last
    FROM run AS r
    JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
    GROUP BY j.campaign, j.id, r.kind
),
hosts AS (
    SELECT environment, kind, min(value) AS host, count(DISTINCT value) AS hosts
    FROM launches, json_each(facts, '$.hosts')
    GROUP BY environment, kind
)
SELECT substr(e.id, 1, 8) AS environment,
       l.kind,
       sum(l.runs) AS runs,
       CASE WHEN h.hosts > 1 THEN printf('%s and %d more', h.host, h.hosts - 1)
            ELSE coalesce(h.host, 'unknown') END AS hosts,
       json_extract(e.described, '$.cluster.platform') AS platform,
       e.buffer_bytes,
       coalesce(json_extract(e.described, '$.processor'), 'unknown') AS processor,
       json_extract(e.described, '$.processors') AS processors,
       coalesce(told_library(json_extract(e.described, '$.mpi.library')),
                CASE l.kind WHEN 'modelled' THEN 'none' ELSE 'unknown' END) AS mpi,
       json_extract(e.described, '$.compiler') AS compiler,
       json_extract(e.described, '$.revision') AS revision,
       json_extract(e.described, '$.kernel') AS system,
       date(min(l.first)) AS first,
       date(max(l.last)) AS last
FROM launches AS l
JOIN environment AS e ON e.id = l.environment
LEFT JOIN hosts AS h ON h.environment = l.environment AND h.kind = l.kind
GROUP BY e.id, l.kind
ORDER BY max(l.last) DESC, e.id, l.kind;
