-- A row for each point, kind and environment, with its times.
SELECT workload, contender, ranks, pattern, mesh, graph, partition, item_bytes, kind, n,
       communication_s, communication_low_s, communication_high_s, step_s, schedule_s, phases,
       oversubscribed, substr(environment, 1, 8) AS environment, substr(point, 1, 8) AS point
FROM result
ORDER BY workload, ranks, pattern, mesh, graph, partition, item_bytes, contender, result.point
