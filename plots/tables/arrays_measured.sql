-- Measured sweeps over decomposed arrays: a row for each point of `chosen`, with the times of one iteration, in
-- seconds.
--
-- problem is the basis of comparing decompositions. speeds and ratio (largest over least) are of the ranks,
-- emulated or as measured for the newest of its points. halo_s is the iteration minus the computation of the
-- busiest rank. exchange_s, of the rank that spends most in it, includes waiting for slower ranks. gain is the
-- speed-up over the grid of equal parts. Its interval is over the launches in which both raced in one race (the
-- view against), with NULL ends if they never did. gain_side is 1 if it is significantly faster. over_least is
-- the ratio to the least time; is_best: no other is faster (the view standing), NULL if unknown.
--
-- The model's values are NULL if the hosts have not been calibrated. Rates are from the newest run of the
-- workload `speeds` on the same hosts, with the side nearest to that of a part. tau and mu are the means over the
-- pairs of the newest run of `links`. predicted_computation_s is for the slowest rank by its cells, in whole
-- numbers. paper_halo_s is tau for each message and mu for each byte of all ranks, as on a wire that all share.
-- It is 2 (tau E + mu b Acost) for cells of b bytes and E inner borders (the paper, 2 and 5). port_halo_s is the
-- same for the busiest rank, with a link for each rank.
WITH sweeps AS (
    SELECT c.point, c.environment, c.wait, c.decomposition, a.place, c.ranks, c.instance AS problem, c.latest, c.started,
           json_extract(c.params, '$.rows') AS array_rows, json_extract(c.params, '$.columns') AS array_columns,
           json_extract(c.params, '$.stencil') AS stencil, json_extract(c.params, '$.element') AS element,
           json_extract(c.params, '$.emulate-speeds') AS emulated,
           coalesce(json_extract(c.params, '$.emulate-speeds'), c.weights_taken,
                    CASE json_extract(c.params, '$.weights') WHEN 'equal' THEN '1' WHEN 'measured' THEN NULL
                         ELSE json_extract(c.params, '$.weights') END) AS speeds,
           coalesce(json_extract(c.params, '$.iterations'), 1) AS iterations,
           1.0 / coalesce(json_extract(c.params, '$.halo-depth'), 1) AS exchanges,
           c.step_s, c.step_low_s, c.step_high_s, c.computation_s,
           c.pack_s + c.communication_s + c.unpack_s AS exchange_s,
           c.load_balance, round(c.acost, 6) AS acost, c.internal_edges AS edges, c.messages, c.bytes,
           c.degree, c.port_bytes, c.n, json_extract(j.facts, '$.hosts') AS hosts,
           json_extract(e.described, '$.cluster') AS cluster
    FROM chosen AS c
    JOIN decompositions AS a ON a.name = c.decomposition
    JOIN job AS j ON j.campaign = c.campaign AND j.id = c.job
    JOIN environment AS e ON e.id = c.environment
),
-- The calibrations and their hosts.
calibrations AS (
    SELECT r.id AS run, r.started, p.workload, p.params, p.ranks, json_extract(j.facts, '$.hosts') AS hosts,
           json_extract(e.described, '$.cluster') AS cluster
    FROM run AS r
    JOIN point AS p ON p.id = r.point
    JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
    JOIN environment AS e ON e.id = j.environment
    WHERE p.workload IN ('speeds', 'links')
      AND r.kind = 'measured'
      AND r.status = 'ok'
),
-- Calibrations of the same hosts: the newest, and for speeds first the most similar one.
candidates AS (
    SELECT s.latest, k.workload, k.run,
           row_number() OVER (PARTITION BY s.latest, k.workload
                              ORDER BY coalesce(abs(ln(json_extract(k.params, '$.side'))
                                                    - 0.5 * ln(1.0 * s.array_rows * s.array_columns
                                                               / s.ranks)), 0),
                                       k.started DESC) AS place
    FROM sweeps AS s
    JOIN calibrations AS k ON k.ranks = s.ranks AND k.hosts IS s.hosts AND k.cluster IS s.cluster
    WHERE k.workload = 'links'
       OR (json_extract(k.params, '$.stencil') IS s.stencil
           AND json_extract(k.params, '$.element') IS s.element
           AND json_extract(k.params, '$.emulate-speeds') IS NULL)
),
calibrated AS (
    SELECT s.*, v.run AS speeds_run, l.run AS links_run
    FROM sweeps AS s
    LEFT JOIN candidates AS v ON v.latest = s.latest AND v.workload = 'speeds' AND v.place = 1
    LEFT JOIN candidates AS l ON l.latest = s.latest AND l.workload = 'links' AND l.place = 1
),
-- Emulated speeds lengthen a rank's work.
parts AS (
    SELECT c.latest, r.rows * r.columns AS cells, v.median AS rate,
           coalesce((SELECT max(value) FROM json_each('[' || c.emulated || ']'))
                    / (SELECT value FROM json_each('[' || c.emulated || ']') WHERE key = r.owner),
                    1) AS longer
    FROM calibrated AS c
    JOIN rectangle AS r ON r.run = c.latest
    JOIN speed AS v ON v.run = c.speeds_run AND v.rank = r.owner
),
predicted AS (
    SELECT c.*,
           (SELECT max(p.cells * p.longer / p.rate) FROM parts AS p WHERE p.latest = c.latest)
               AS predicted_computation_s,
           (SELECT avg(l.startup_s) FROM link AS l WHERE l.run = c.links_run) AS tau_s,
           (SELECT avg(1 / l.bandwidth) FROM link AS l WHERE l.run = c.links_run) AS mu_s
    FROM calibrated AS c
),
newest AS (
    SELECT problem, ranks, speeds, max(started) FROM sweeps GROUP BY problem, ranks
),
grids AS (
    SELECT problem, ranks, point, environment, wait, step_s FROM sweeps WHERE decomposition = 'grid'
),
stood AS (
    SELECT point, environment, wait, min(is_best) AS is_best, max(ratio_to_fastest) AS over_least
    FROM standing
    WHERE kind = 'measured'
    GROUP BY point, environment, wait
)
SELECT p.decomposition, p.place, p.ranks, p.problem, p.array_rows, p.array_columns,
       p.array_rows || ' x ' || p.array_columns
           || coalesce(', ' || nullif(json_extract(p.problem, '$.schedule'), 'ac'), '')
           || CASE WHEN p.exchanges < 1 THEN ', halo depth ' || json_extract(p.problem, '$.halo-depth')
                   ELSE '' END
           || CASE WHEN json_extract(p.problem, '$.overlap') THEN ', overlap' ELSE '' END AS array,
       (SELECT round(1.0 * max(value) / min(value), 2) FROM json_each('[' || w.speeds || ']'))
           AS ratio,
       CASE WHEN p.emulated IS NULL THEN 'own' ELSE 'emulated' END AS speeds,
       p.latest,
       p.step_s / p.iterations AS iteration_s,
       p.step_low_s / p.iterations AS iteration_low_s,
       p.step_high_s / p.iterations AS iteration_high_s,
       p.computation_s / p.iterations AS computation_s,
       p.exchange_s / p.iterations AS exchange_s,
       max(p.step_s - p.computation_s, 0) / p.iterations AS halo_s,
       p.load_balance, p.acost, p.edges, p.n,
       coalesce(v.ratio, g.step_s / p.step_s) AS gain,
       v.low AS gain_low,
       v.high AS gain_high,
       v.side AS gain_side,
       s.is_best, s.over_least, p.point, p.environment, p.wait,
       p.predicted_computation_s,
       p.exchanges * (p.messages * p.tau_s + p.bytes * p.mu_s) AS paper_halo_s,
       p.exchanges * (p.degree * p.tau_s + p.port_bytes * p.mu_s) AS port_halo_s,
       p.predicted_computation_s + p.exchanges * (p.messages * p.tau_s + p.bytes * p.mu_s)
           AS predicted_s
FROM predicted AS p
JOIN newest AS w ON w.problem = p.problem AND w.ranks = p.ranks
LEFT JOIN grids AS g ON g.problem = p.problem AND g.ranks = p.ranks
LEFT JOIN arrays_raced AS v ON v.point = g.point AND v.baseline = p.point AND v.environment = p.environment
    AND v.wait = p.wait AND g.environment = p.environment AND g.wait = p.wait
LEFT JOIN stood AS s ON s.point = p.point AND s.environment = p.environment AND s.wait = p.wait
