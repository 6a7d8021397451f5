-- title: Links: startup and bandwidth of every ordered pair of ranks, and what their ports carry
-- sweep: links
-- rows: workload = 'links'
-- rows: AND kind = 'measured'
--
-- A row for each pair of the newest run of each point. Errors are standard errors, empty if none can be
-- given (kernels/schedules/link_fit.h). out_mb_s is the limit of the source's port, in_mb_s that of the
-- destination's; empty: no limit was seen, or the rank was not tried.
SELECT c.started AS measured,
       c.ranks,
       json_extract(c.params, '$.largest') AS largest,
       l.source,
       l.destination,
       json_extract(j.facts, printf('$.hosts[%d]', l.source)) AS source_host,
       json_extract(j.facts, printf('$.hosts[%d]', l.destination)) AS destination_host,
       round(1e6 * l.startup_s, 2) AS startup_us,
       round(1e6 * l.startup_error_s, 2) AS startup_error_us,
       round(l.bandwidth / 1e6, 3) AS mb_s,
       round(l.bandwidth_error / 1e6, 3) AS error_mb_s,
       round(o.out_bandwidth / 1e6, 3) AS out_mb_s,
       round(i.in_bandwidth / 1e6, 3) AS in_mb_s
FROM chosen AS c
JOIN run AS r ON r.point = c.point AND r.campaign = c.campaign AND r.job = c.job
    AND r.started = c.started AND r.status = 'ok'
JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
JOIN link AS l ON l.run = r.id
LEFT JOIN port AS o ON o.run = r.id AND o.rank = l.source
LEFT JOIN port AS i ON i.run = r.id AND i.rank = l.destination
ORDER BY c.started, c.ranks, l.source, l.destination;
