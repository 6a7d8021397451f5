-- What plots and queries read. Run again after every migration: a change here comes with one, even
-- an empty one. Only runs that ended ok are behind these views.

-- A row per point, environment and kind. What was measured and what was predicted are different
-- columns; NULL is unknown.
CREATE VIEW result AS
SELECT p.workload,
       p.algorithm,
       p.ranks,
       json_extract(p.params, '$.pattern') AS pattern,
       json_extract(p.params, '$.mesh') AS mesh,
       json_extract(p.params, '$.partition') AS partition,
       json_extract(p.params, '$.com') AS com,
       json_extract(p.params, '$.unit') AS unit,
       json_extract(p.params, '$.density') AS density,
       json_extract(p.params, '$.instance') AS instance_number,
       json_extract(p.params, '$.seed') AS seed,
       json_extract(p.params, '$.overlap') AS overlap,
       o.kind,
       coalesce(c.n, s.n) AS n,
       o.runs,
       c.median_s AS communication_s,
       c.low_s AS communication_low_s,
       c.high_s AS communication_high_s,
       s.median_s AS step_s,
       s.low_s AS step_low_s,
       s.high_s AS step_high_s,
       w.median_s AS computation_s,
       w.low_s AS computation_low_s,
       w.high_s AS computation_high_s,
       pack.median_s AS pack_s,
       unpack.median_s AS unpack_s,
       first.median_s AS first_s,
       ind.median_s AS index_s,
       gather.median_s AS gather_s,
       sch.median_s AS schedule_s,
       sch.low_s AS schedule_low_s,
       sch.high_s AS schedule_high_s,
       r.phases,
       r.pieces,
       r.messages,
       r.bytes,
       r.port_bytes,
       r.degree,
       r.edge_cut,
       r.predicted_s,
       r.bound_s,
       r.single_port_bound_s,
       r.oversubscribed,
       r.wait,
       r.sync,
       r.nonblocking,
       r.campaign,
       r.job,
       r.started,
       o.environment,
       p.id AS point,
       p.instance
FROM outcome AS o
JOIN point AS p ON p.id = o.point
JOIN run AS r ON r.id = o.latest
LEFT JOIN summary AS c ON c.point = o.point AND c.environment = o.environment
    AND c.kind = o.kind AND c.quantity = 'communication'
LEFT JOIN summary AS s ON s.point = o.point AND s.environment = o.environment
    AND s.kind = o.kind AND s.quantity = 'step'
LEFT JOIN summary AS w ON w.point = o.point AND w.environment = o.environment
    AND w.kind = o.kind AND w.quantity = 'computation'
LEFT JOIN summary AS pack ON pack.point = o.point AND pack.environment = o.environment
    AND pack.kind = o.kind AND pack.quantity = 'pack'
LEFT JOIN summary AS unpack ON unpack.point = o.point AND unpack.environment = o.environment
    AND unpack.kind = o.kind AND unpack.quantity = 'unpack'
LEFT JOIN summary AS first ON first.point = o.point AND first.environment = o.environment
    AND first.kind = o.kind AND first.quantity = 'first'
LEFT JOIN summary AS ind ON ind.point = o.point AND ind.environment = o.environment
    AND ind.kind = o.kind AND ind.quantity = 'index'
LEFT JOIN summary AS gather ON gather.point = o.point AND gather.environment = o.environment
    AND gather.kind = o.kind AND gather.quantity = 'gather'
LEFT JOIN summary AS sch ON sch.point = o.point AND sch.environment = o.environment
    AND sch.kind = o.kind AND sch.quantity = 'schedule';

-- The algorithm with the least communication time, per instance, environment and kind.
CREATE VIEW best AS
SELECT workload, ranks, instance, environment, kind, algorithm, communication_s,
       communication_low_s, communication_high_s, n, algorithms
FROM (SELECT *,
             row_number() OVER (PARTITION BY workload, ranks, instance, environment, kind
                                ORDER BY communication_s, algorithm) AS place,
             count(*) OVER (PARTITION BY workload, ranks, instance, environment, kind)
                 AS algorithms
      FROM result
      WHERE communication_s IS NOT NULL)
WHERE place = 1;

-- Each algorithm's communication time as a multiple of a baseline's on the same instance: ac is the
-- papers', alltoallv today's.
CREATE VIEW against AS
SELECT r.workload, r.ranks, r.instance, r.environment, r.kind, r.algorithm,
       b.algorithm AS baseline,
       r.communication_s,
       b.communication_s AS baseline_s,
       r.communication_s / b.communication_s AS ratio
FROM result AS r
JOIN result AS b ON b.workload = r.workload AND b.ranks = r.ranks AND b.instance = r.instance
    AND b.environment = r.environment AND b.kind = r.kind
WHERE b.algorithm IN ('ac', 'alltoallv')
  AND b.communication_s > 0
  AND r.communication_s IS NOT NULL;
