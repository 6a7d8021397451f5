-- What plots and queries read. Only runs that ended ok are behind these views.

-- A row per point, environment, kind and wait policy. What was measured and what was predicted are
-- different columns; NULL is unknown. schedule, decomposition and placement are NULL where the workload
-- has none. contender is the one of them that is compared, with its tuning ("greedy depth 4"), and
-- instance what it is compared on, without either. params are all of the point's, as JSON: params ->>
-- '$.partners'. network and depth are what was asked for, network_taken and depth_taken what that came to
-- (measured, auto). latest is the run that what is no median comes from: what else there is of it (link,
-- rectangle) is found by it, and found is all that it found, also what has no column here.
CREATE VIEW result AS
SELECT p.workload,
       p.contender,
       p.schedule,
       p.decomposition,
       p.placement,
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
       json_extract(p.params, '$.network') AS network,
       json_extract(p.params, '$.lambda') AS lambda,
       json_extract(p.params, '$.depth') AS depth,
       r.found ->> '$.network_taken' AS network_taken,
       r.found ->> '$.depth_taken' AS depth_taken,
       p.params,
       o.kind,
       o.wait,
       o.n,
       o.runs,
       o.disagree,
       r.stopped,
       r.min_samples,
       o.communication_s,
       o.communication_low_s,
       o.communication_high_s,
       o.step_s,
       o.step_low_s,
       o.step_high_s,
       o.computation_s,
       o.computation_low_s,
       o.computation_high_s,
       o.pack_s,
       o.unpack_s,
       o.first_s,
       o.index_s,
       o.gather_s,
       o.schedule_s,
       o.schedule_low_s,
       o.schedule_high_s,
       r.found ->> '$.compress_s' AS compress_s,
       r.found ->> '$.heap_s' AS heap_s,
       r.found ->> '$.sort_s' AS sort_s,
       r.found ->> '$.heap_operations' AS heap_operations,
       r.found ->> '$.choice' AS choice,
       r.found ->> '$.phases' AS phases,
       r.found ->> '$.pieces' AS pieces,
       r.found ->> '$.messages' AS messages,
       r.found ->> '$.bytes' AS bytes,
       r.found ->> '$.port_bytes' AS port_bytes,
       r.found ->> '$.degree' AS degree,
       r.found ->> '$.edge_cut' AS edge_cut,
       r.predicted_s,
       r.bound_s,
       r.found ->> '$.single_port_bound_s' AS single_port_bound_s,
       r.found ->> '$.acost' AS acost,
       r.found ->> '$.bcost' AS bcost,
       r.found ->> '$.internal_edges' AS internal_edges,
       r.found ->> '$.cost' AS cost,
       r.found ->> '$.decompose_s' AS decompose_s,
       r.found ->> '$.settled' AS settled,
       r.found ->> '$.load_balance' AS load_balance,
       r.found ->> '$.weights_taken' AS weights_taken,
       r.found ->> '$.topology_taken' AS topology_taken,
       r.found ->> '$.placement_moved' AS placement_moved,
       r.found ->> '$.placement_cardinality' AS placement_cardinality,
       r.found ->> '$.placement_latency_s' AS placement_latency_s,
       r.found ->> '$.cardinality' AS cardinality,
       r.found ->> '$.cardinality_bound' AS cardinality_bound,
       r.found ->> '$.latency_0_s' AS latency_0_s,
       r.found ->> '$.latency_10_s' AS latency_10_s,
       r.found ->> '$.latency_20_s' AS latency_20_s,
       r.found ->> '$.place_s' AS place_s,
       r.found ->> '$.network_links' AS network_links,
       o.rebalance_s,
       o.rebalance_low_s,
       o.rebalance_high_s,
       o.move_s,
       o.move_low_s,
       o.move_high_s,
       r.found ->> '$.rebalances' AS rebalances,
       r.found ->> '$.moved_bytes' AS moved_bytes,
       r.found ->> '$.iteration_before_s' AS iteration_before_s,
       r.found ->> '$.iteration_changed_s' AS iteration_changed_s,
       r.found ->> '$.iteration_after_s' AS iteration_after_s,
       r.found ->> '$.saving_predicted_s' AS saving_predicted_s,
       r.found ->> '$.cut_predicted_s' AS cut_predicted_s,
       r.oversubscribed,
       r.found ->> '$.nonblocking' AS nonblocking,
       r.found,
       r.campaign,
       r.job,
       r.started,
       r.id AS latest,
       o.environment,
       p.id AS point,
       p.problem AS instance
FROM outcome AS o
JOIN point AS p ON p.id = o.point
JOIN run AS r ON r.id = o.latest;

-- The runs that a row of result pools, by what its key is: their samples are in sample and rank_sample.
CREATE VIEW pooled_run AS
SELECT r.point,
       j.environment,
       r.kind,
       coalesce(r.wait, '') AS wait,
       r.id AS run
FROM run AS r
JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
WHERE r.status = 'ok';

-- A row for each sample of a run, counted from 0, which is its round where it ran in a heat, and its turn
-- in that round: the parts of its step, seconds, max over ranks.
CREATE VIEW sample AS
SELECT s.run,
       e.key AS number,
       json_extract(s.places, '$[' || e.key || ']') AS place,
       CAST(e.value ->> 0 AS REAL) AS step_s,
       CAST(e.value ->> 1 AS REAL) AS pack_s,
       CAST(e.value ->> 2 AS REAL) AS communication_s,
       CAST(e.value ->> 3 AS REAL) AS unpack_s,
       CAST(e.value ->> 4 AS REAL) AS computation_s,
       CAST(e.value ->> 5 AS REAL) AS rebalance_s,
       CAST(e.value ->> 6 AS REAL) AS move_s
FROM sampled AS s, json_each(s.times) AS e;

-- A row for each round of a good run and its heat's reference in one launch: `ratio` is its time in that
-- round over the reference's, of the part that its workload compares. The reference itself stands there
-- with its twin: is_twin 1, the ratio of two that are alike.
CREATE VIEW round_ratio AS
SELECT own.id AS run,
       own.heat,
       own.campaign,
       own.job,
       own.point,
       reference.point AS reference,
       own.id = reference.id AS is_twin,
       e.key AS round,
       (e.value ->> p.part) / json_extract(base.times, '$[' || e.key || '][' || p.part || ']') AS ratio
FROM twin AS t
JOIN run AS reference ON reference.id = t.run AND reference.status = 'ok'
JOIN sampled AS base ON base.run = reference.id
JOIN run AS own ON own.campaign = reference.campaign AND own.job = reference.job
               AND own.heat = reference.heat AND own.order_seed = reference.order_seed
               AND own.status = 'ok'
JOIN sampled AS s ON s.run = own.id
JOIN (SELECT column1 AS criterion, column2 AS part
      FROM (VALUES ('step', 0), ('pack', 1), ('communication', 2), ('unpack', 3), ('computation', 4),
                   ('rebalance', 5), ('move', 6))) AS p ON p.criterion = own.criterion
JOIN json_each(CASE own.id WHEN reference.id THEN t.times ELSE s.times END) AS e;

-- A row for each launch of a heat and each of its contenders: the median of its ratios over the rounds.
CREATE VIEW launch_ratio AS
SELECT run, heat, campaign, job, point, reference, is_twin, rounds, avg(ratio) AS ratio
FROM (SELECT *,
             row_number() OVER (PARTITION BY run ORDER BY ratio) AS place,
             count(*) OVER (PARTITION BY run) AS rounds
      FROM round_ratio
      WHERE ratio IS NOT NULL)
WHERE place IN ((rounds + 1) / 2, (rounds + 2) / 2)
GROUP BY run;

-- A row for each contender of a heat, over all launches in one environment: the ratio is the geometric mean
-- of those of the launches, and ratio_low .. ratio_high its 95 % interval by Student's t on their logarithms,
-- so that what varies between launches is in it; NULL for one launch. name is the contender with its tuning,
-- contender what it is in the heat: of the reference it is its twin's ratio.
CREATE VIEW ratio AS
SELECT heat, point, workload, ranks, schedule, decomposition, placement, name, contender, reference,
       environment, kind, wait, launches, rounds, median_s, ratio,
       ratio * exp(-reach) AS ratio_low,
       ratio * exp(reach) AS ratio_high
FROM (SELECT l.heat,
             l.point,
             p.workload,
             p.ranks,
             p.schedule,
             p.decomposition,
             p.placement,
             p.contender AS name,
             CASE l.is_twin WHEN 1 THEN 'twin' ELSE 'contender' END AS contender,
             l.reference,
             j.environment,
             r.kind,
             coalesce(r.wait, '') AS wait,
             count(*) AS launches,
             sum(l.rounds) AS rounds,
             avg(CASE r.criterion WHEN 'communication' THEN r.communication_s ELSE r.step_s END)
                 AS median_s,
             exp(avg(ln(l.ratio))) AS ratio,
             CASE WHEN count(*) > 1 THEN
                 student(count(*) - 1)
                 * sqrt(max(sum(ln(l.ratio) * ln(l.ratio)) - count(*) * avg(ln(l.ratio)) * avg(ln(l.ratio)), 0)
                        / (count(*) - 1) / count(*))
             END AS reach
      FROM launch_ratio AS l
      JOIN run AS r ON r.id = l.run
      JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
      JOIN point AS p ON p.id = l.point
      GROUP BY l.heat, l.point, l.reference, l.is_twin, j.environment, r.kind, r.wait);


-- The contender with the least communication time, per instance and all that is never pooled.
CREATE VIEW best AS
SELECT workload, ranks, instance, environment, kind, wait, contender, communication_s,
       communication_low_s, communication_high_s, n, contenders
FROM (SELECT *,
             row_number() OVER (PARTITION BY workload, ranks, instance, environment, kind, wait
                                ORDER BY communication_s, contender) AS place,
             count(*) OVER (PARTITION BY workload, ranks, instance, environment, kind, wait)
                 AS contenders
      FROM result
      WHERE communication_s IS NOT NULL
        AND contender IS NOT NULL)
WHERE place = 1;

-- Each contender's communication time as a multiple of a baseline's on the same instance: ac is the
-- papers', alltoallv today's.
CREATE VIEW against AS
SELECT r.workload, r.ranks, r.instance, r.environment, r.kind, r.wait, r.contender,
       b.contender AS baseline,
       r.communication_s,
       b.communication_s AS baseline_s,
       r.communication_s / b.communication_s AS ratio
FROM result AS r
JOIN result AS b ON b.workload = r.workload AND b.ranks = r.ranks AND b.instance = r.instance
    AND b.environment = r.environment AND b.kind = r.kind AND b.wait = r.wait
WHERE b.contender IN ('ac', 'alltoallv')
  AND b.communication_s > 0
  AND r.communication_s IS NOT NULL;
