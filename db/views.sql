-- The views that plots and queries read. They contain only runs that ended ok.

-- A row per point, environment, kind and wait policy. Measured and predicted values are different columns; NULL is
-- unknown. schedule, decomposition and placement are NULL if the workload has none. contender is the compared one of
-- them, with its tuning ("greedy depth 4"). instance is the basis of the comparison, without either. params are all
-- of the point's, as JSON: json_extract(params, '$.partners'). network and depth are the requested values,
-- network_taken and depth_taken the actual ones (measured, auto). from_start_s has the origin of predicted_s and
-- lower_bound_s. It lasts from the common start to the end of the last rank's communication, minus its packing: the
-- mean of the middle half of the samples. latest is the run of all values that are no medians. Its other results
-- (link, rectangle) are found by it; found has all its results, including those without a column here.
CREATE VIEW result AS
SELECT p.workload,
       p.contender,
       p.schedule,
       p.decomposition,
       p.placement,
       p.ranks,
       json_extract(p.params, '$.pattern') AS pattern,
       json_extract(p.params, '$.mesh') AS mesh,
       json_extract(p.params, '$.graph') AS graph,
       json_extract(p.params, '$.partition') AS partition,
       json_extract(p.params, '$.com') AS com,
       json_extract(p.params, '$."item-bytes"') AS item_bytes,
       json_extract(p.params, '$.degree') AS degree,
       json_extract(p.params, '$.instance') AS instance_number,
       json_extract(p.params, '$.seed') AS seed,
       json_extract(p.params, '$.overlap') AS overlap,
       json_extract(p.params, '$.network') AS network,
       json_extract(p.params, '$.lambda') AS lambda,
       json_extract(p.params, '$."in-flight"') AS in_flight,
       json_extract(r.metrics, '$.network_taken') AS network_taken,
       json_extract(r.metrics, '$.in_flight_taken') AS in_flight_taken,
       p.params,
       o.kind,
       o.wait,
       o.n,
       o.runs,
       r.stopped,
       r.min_samples,
       r.criterion,
       o.too_short,
       r.compared,
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
       json_extract(r.metrics, '$.compress_s') AS compress_s,
       json_extract(r.metrics, '$.heap_s') AS heap_s,
       json_extract(r.metrics, '$.sort_s') AS sort_s,
       json_extract(r.metrics, '$.heap_operations') AS heap_operations,
       json_extract(r.metrics, '$.choice') AS choice,
       json_extract(r.metrics, '$.phases') AS phases,
       json_extract(r.metrics, '$.pieces') AS pieces,
       json_extract(r.metrics, '$.messages') AS messages,
       json_extract(r.metrics, '$.bytes') AS bytes,
       json_extract(r.metrics, '$.longest_bytes') AS longest_bytes,
       json_extract(r.metrics, '$.port_bytes') AS port_bytes,
       json_extract(r.metrics, '$.max_degree') AS max_degree,
       json_extract(r.metrics, '$.edge_cut') AS edge_cut,
       r.predicted_s,
       json_extract(r.metrics, '$.last_late_s') + json_extract(r.metrics, '$.last_communication_s') AS from_start_s,
       r.lower_bound_s,
       json_extract(r.metrics, '$.single_port_lower_bound_s') AS single_port_lower_bound_s,
       json_extract(r.metrics, '$.acost') AS acost,
       json_extract(r.metrics, '$.bcost') AS bcost,
       json_extract(r.metrics, '$.internal_edges') AS internal_edges,
       json_extract(r.metrics, '$.cost') AS cost,
       json_extract(r.metrics, '$.decompose_s') AS decompose_s,
       json_extract(r.metrics, '$.settled') AS settled,
       json_extract(r.metrics, '$.load_balance') AS load_balance,
       json_extract(r.metrics, '$.weights_taken') AS weights_taken,
       json_extract(r.metrics, '$.topology_taken') AS topology_taken,
       json_extract(r.metrics, '$.placement_moved') AS placement_moved,
       json_extract(r.metrics, '$.placement_cardinality') AS placement_cardinality,
       json_extract(r.metrics, '$.placement_latency_s') AS placement_latency_s,
       json_extract(r.metrics, '$.cardinality') AS cardinality,
       json_extract(r.metrics, '$.latency_0_s') AS latency_0_s,
       json_extract(r.metrics, '$.latency_10_s') AS latency_10_s,
       json_extract(r.metrics, '$.latency_20_s') AS latency_20_s,
       json_extract(r.metrics, '$.place_s') AS place_s,
       json_extract(r.metrics, '$.network_links') AS network_links,
       o.rebalance_s,
       o.rebalance_low_s,
       o.rebalance_high_s,
       o.move_s,
       o.move_low_s,
       o.move_high_s,
       o.own_s,
       o.own_low_s,
       o.own_high_s,
       json_extract(r.metrics, '$.rebalances') AS rebalances,
       json_extract(r.metrics, '$.moved_bytes') AS moved_bytes,
       json_extract(r.metrics, '$.iteration_before_s') AS iteration_before_s,
       json_extract(r.metrics, '$.iteration_changed_s') AS iteration_changed_s,
       json_extract(r.metrics, '$.iteration_after_s') AS iteration_after_s,
       json_extract(r.metrics, '$.saving_predicted_s') AS saving_predicted_s,
       json_extract(r.metrics, '$.cut_predicted_s') AS cut_predicted_s,
       r.oversubscribed,
       json_extract(r.metrics, '$.nonblocking') AS nonblocking,
       iif(json_extract(r.metrics, '$.nonblocking'),
           p.contender || ' (as ' || CASE p.schedule
               WHEN 'alltoallv' THEN 'MPI_Ialltoallv'
               WHEN 'alltoallw-types' THEN 'MPI_Ialltoallw'
               WHEN 'neighbor' THEN 'MPI_Ineighbor_alltoallv'
               ELSE 'calls that do not block' END || ')', NULL) AS ran_as,
       r.metrics,
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

-- The runs that a row of result pools, by its key: their samples are in sample and rank_sample.
CREATE VIEW pooled_run AS
SELECT r.point,
       j.environment,
       r.kind,
       coalesce(r.wait, '') AS wait,
       r.id AS run
FROM run AS r
JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
WHERE r.status = 'ok';

-- A row for each run: the load of other processes on its machine. others is the number of processors that others kept
-- busy during its race, NULL if the race was too short to measure it; busy: more than a tenth of the processors.
CREATE VIEW disturbed_run AS
SELECT *, coalesce(others > 0.1 * processors, 0) AS busy
FROM (SELECT r.id AS run, r.campaign, r.job, j.environment, json_extract(e.described, '$.processors') AS processors,
             r.others_cpus AS others
      FROM run AS r
      JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
      JOIN environment AS e ON e.id = j.environment);

-- The same for each launch: others is the maximum over its races. It is found before the environment is read, which
-- is one for all of them. load is the load average before the launch. It counts work that ended a minute ago,
-- including our own build, so it decides nothing.
CREATE VIEW disturbed AS
SELECT campaign, id, environment, facts, json_extract(facts, '$.load') AS load, processors, others,
       coalesce(others > 0.1 * processors, 0) AS busy
FROM (SELECT j.campaign, j.id, j.environment, j.facts, json_extract(e.described, '$.processors') AS processors, r.others
      FROM job AS j
      JOIN environment AS e ON e.id = j.environment
      LEFT JOIN (SELECT campaign, job, max(others_cpus) AS others
                 FROM run
                 GROUP BY campaign, job) AS r ON r.campaign = j.campaign AND r.job = j.id);

-- A row for each sample of a run, counted from 0, which is its round if it ran in a race, and its turn in that round.
-- Seconds: step_s from the common start to the last rank's end; the others are maxima over ranks, each by itself:
-- own_s from a rank's own start to its end, and the parts of the step.
CREATE VIEW sample AS
SELECT s.run,
       e.key AS number,
       json_extract(s.places, '$[' || e.key || ']') AS place,
       CAST(json_extract(e.value, '$[0]') AS REAL) AS step_s,
       CAST(json_extract(e.value, '$[1]') AS REAL) AS pack_s,
       CAST(json_extract(e.value, '$[2]') AS REAL) AS communication_s,
       CAST(json_extract(e.value, '$[3]') AS REAL) AS unpack_s,
       CAST(json_extract(e.value, '$[4]') AS REAL) AS computation_s,
       CAST(json_extract(e.value, '$[5]') AS REAL) AS rebalance_s,
       CAST(json_extract(e.value, '$[6]') AS REAL) AS move_s,
       CAST(json_extract(e.value, '$[7]') AS REAL) AS own_s
FROM sampled AS s, json_each(s.times) AS e;

-- The same of good runs with what each is a sample of, for other programs: run is the hash of its record, a text, as
-- no 63 bits fit into a real number; problem is as JSON what contenders have in common; seconds are those of the part
-- that is compared.
CREATE VIEW samples AS
SELECT r.campaign, r.job AS launch, r.kind, p.workload, p.contender, p.ranks,
       json_extract(p.params, '$.mesh') AS mesh,
       json_extract(p.params, '$."item-bytes"') AS item_bytes,
       p.problem, s.number AS round, s.place,
       CASE r.criterion WHEN 'step' THEN s.step_s WHEN 'own' THEN s.own_s ELSE s.communication_s END AS seconds,
       s.step_s, s.communication_s, j.environment, r.point, r.hash AS run
FROM sample AS s
JOIN run AS r ON r.id = s.run
JOIN point AS p ON p.id = r.point
JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
WHERE r.status = 'ok';

-- A row for each round of a good run and its race's reference in one launch: `ratio` is its time in that
-- round over the reference's, of the part that its workload compares. The reference itself stands there
-- with its duplicate: is_duplicate 1, the ratio of two that are alike.
CREATE VIEW round_ratio AS
SELECT own.id AS run,
       own.race,
       own.campaign,
       own.job,
       own.point,
       reference.point AS reference,
       own.id = reference.id AS is_duplicate,
       e.key AS round,
       json_extract(e.value, '$[' || sample_part(own.criterion) || ']')
           / json_extract(base.times, '$[' || e.key || '][' || sample_part(own.criterion) || ']') AS ratio
FROM raced AS a
JOIN run AS own ON own.id = a.run
JOIN run AS reference ON reference.id = a.reference
JOIN duplicate AS t ON t.run = a.reference
JOIN sampled AS base ON base.run = a.reference
JOIN sampled AS s ON s.run = a.run
JOIN json_each(iif(a.run = a.reference, t.times, s.times)) AS e;

-- A row for each launch of a race and each of its contenders. It has the median of its ratios over the rounds, with
-- the 95 % interval of these rounds, which covers this launch alone. The reference occurs twice: as itself
-- ('reference', 1 by definition) and as its duplicate. moot means no result, because a step is too short, or has no
-- message. Over launches the majority decides: one disturbed launch does not hide the results of the others.
CREATE VIEW launch_ratio AS
SELECT a.run, r.race, r.campaign, r.job, j.environment, r.kind, coalesce(r.wait, '') AS wait, r.point,
       b.point AS reference, iif(a.run = a.reference, 'duplicate', 'contender') AS contender,
       a.rounds, a.ratio, a.low AS ratio_low, a.high AS ratio_high,
       CASE r.criterion WHEN 'communication' THEN r.communication_s WHEN 'own' THEN r.own_s
            ELSE r.step_s END AS median_s,
       coalesce(r.too_short, 0) OR coalesce(json_extract(r.metrics, '$.messages') = 0, 0) AS moot, r.compared,
       r.until_known * iif(a.run = a.reference, 2, 1) AS until_known
FROM raced AS a
JOIN run AS r ON r.id = a.run
JOIN run AS b ON b.id = a.reference
JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
UNION ALL
SELECT a.run, r.race, r.campaign, r.job, j.environment, r.kind, coalesce(r.wait, ''), r.point,
       r.point, 'reference', a.rounds, 1.0, 1.0, 1.0,
       CASE r.criterion WHEN 'communication' THEN r.communication_s WHEN 'own' THEN r.own_s
            ELSE r.step_s END,
       coalesce(r.too_short, 0) OR coalesce(json_extract(r.metrics, '$.messages') = 0, 0), r.compared,
       r.until_known
FROM raced AS a
JOIN run AS r ON r.id = a.run
JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
WHERE a.run = a.reference;

-- A row for each race, over all launches in one environment: the ratio of its reference to itself, and reach. reach
-- is the distance from 1 to the farther end of its 95 % interval, in logarithms, NULL for one launch. A smaller
-- difference is not significant: it lies in the grey band of figures.
CREATE VIEW noise AS
SELECT race, environment, kind, wait, exp(json_extract(e, '$[1]')) AS ratio, abs(json_extract(e, '$[1]')) + json_extract(e, '$[3]') AS reach
FROM (SELECT race, environment, kind, wait, over_launches(ln(ratio), coalesce(until_known, 0)) AS e
      FROM launch_ratio
      WHERE contender = 'duplicate'
      GROUP BY race, environment, kind, wait);

-- Every two contenders of a race. ratio is the time of `contender` over that of `baseline`: the geometric mean, over
-- the launches with both, of the quotient of their ratios. reach, in logarithms, is the half width of its interval by
-- Student's t over these, and standard_error is its standard error, NULL for one launch: ratio * exp(-reach) .. ratio
-- * exp(reach) is the 95 % interval. Simulated or modelled contenders have one time and no error: launches is NULL
-- there, and race is the instance. rivals is the number of the contender's baselines. side: 1 slower, -1 faster, 0
-- not significant. Significant means that the whole interval lies to one side of 1, and the ratio is further from 1
-- than the noise's interval reaches. side is NULL for one launch, and for moot races. Ties of computed times are by
-- tie_of.
CREATE VIEW against AS
SELECT p.race, p.environment, p.kind, p.wait, p.point, p.baseline, json_extract(e, '$[0]') AS launches, exp(json_extract(e, '$[1]')) AS ratio,
       json_extract(e, '$[2]') AS standard_error, json_extract(e, '$[3]') AS reach, moot,
       count(*) OVER (PARTITION BY p.race, p.environment, p.kind, p.wait, p.point) AS rivals,
       iif(moot, NULL, race_side(json_extract(e, '$[1]'), json_extract(e, '$[3]'), c.reach)) AS side
FROM (SELECT a.race, a.environment, a.kind, a.wait, a.point, b.point AS baseline,
             avg(a.moot OR b.moot) > 0.5 AS moot,
             over_launches(ln(a.ratio / b.ratio), coalesce(a.until_known, 0)) AS e
      FROM launch_ratio AS a
      JOIN launch_ratio AS b ON b.campaign = a.campaign AND b.job = a.job AND b.race = a.race
           AND b.kind = a.kind AND b.wait = a.wait AND b.point <> a.point
      WHERE a.contender <> 'duplicate'
        AND b.contender <> 'duplicate'
      GROUP BY a.race, a.environment, a.kind, a.wait, a.point, b.point) AS p
LEFT JOIN noise AS c ON c.race = p.race AND c.environment = p.environment AND c.kind = p.kind
    AND c.wait = p.wait
UNION ALL
SELECT a.workload || '/' || a.ranks || '/' || a.instance, a.environment, a.kind, a.wait, a.point,
       b.point, NULL,
       coalesce(a.communication_s, a.predicted_s) / coalesce(b.communication_s, b.predicted_s),
       0.0, 0.0, coalesce(a.messages = 0, 0),
       count(*) OVER (PARTITION BY a.point, a.environment, a.kind, a.wait),
       iif(coalesce(a.messages = 0, 0), NULL,
           race_side(ln(coalesce(a.communication_s, a.predicted_s) / coalesce(b.communication_s, b.predicted_s)),
                     0, tie_of(a.kind)))
FROM result AS a
JOIN result AS b ON b.workload = a.workload AND b.ranks = a.ranks AND b.instance = a.instance
    AND b.environment = a.environment AND b.kind = a.kind AND b.wait = a.wait AND b.point <> a.point
WHERE a.kind <> 'measured'
  AND coalesce(b.communication_s, b.predicted_s) > 0
  AND coalesce(a.communication_s, a.predicted_s) > 0;

-- The set of the fastest contenders. A contender is in it unless it is slower than another one, by more than the
-- noise's interval reaches from 1. Each pair is tested at 5 % over the number of its rivals (Bonferroni). Tests are
-- two-sided, as intervals are: of two contenders one is excluded only if the interval of their ratio excludes 1. The
-- truly fastest is excluded with a probability of at most 2.5 %. NULL if that is unknown: for one launch, for moot
-- races, and for a contender that did not race with all others that are not slower than some. Those of one launch, or of
-- too few for an interval, do not count as others. A simulated or modelled contender is in the set if no time is shorter
-- by more than a tie. Each pair is read by its other end, from the rival (`point`), which knows if it is slower itself:
-- the contender is `baseline`.
CREATE VIEW standing AS
SELECT race, environment, kind, wait, point,
       CASE WHEN moot THEN NULL
            WHEN launches IS NULL THEN over_fastest <= tie_of(kind)
            WHEN is_slower THEN 0
            WHEN met + 1 = total(is_slower = 0) OVER (PARTITION BY race, environment, kind, wait)
            THEN 1 - is_slower END AS is_best,
       exp(over_fastest) AS ratio_to_fastest, contenders
FROM (SELECT race, environment, kind, wait, baseline AS point, max(moot) AS moot, max(launches) AS launches,
             max(is_slower(launches, over, standard_error, met_all, noise)) AS is_slower,
             coalesce(max(over) FILTER (WHERE standard_error IS NOT NULL), max(over)) AS over_fastest,
             met_all + 1 AS contenders, total(is_rival_slower = 0) AS met
      FROM (SELECT a.race, a.environment, a.kind, a.wait, a.baseline, a.moot, a.launches, -ln(a.ratio) AS over, a.standard_error,
                   c.reach AS noise, count(*) OVER (PARTITION BY a.race, a.environment, a.kind, a.wait, a.baseline) AS met_all,
                   max(is_slower(a.launches, ln(a.ratio), a.standard_error, a.rivals, c.reach))
                       OVER (PARTITION BY a.race, a.environment, a.kind, a.wait, a.point) AS is_rival_slower
            FROM against AS a
            LEFT JOIN noise AS c ON c.race = a.race AND c.environment = a.environment
                AND c.kind = a.kind AND c.wait = a.wait)
      GROUP BY race, environment, kind, wait, baseline);

-- A row for each contender of a race, over all launches in one environment. The ratio to the reference is the
-- geometric mean over the launches. ratio_low .. ratio_high is its 95 % interval by Student's t on their logarithms,
-- which includes the variation between launches; NULL for one launch. name is the contender with its tuning.
-- contender is its role in the race: the reference, its duplicate, whose ratio is the race's noise, or a contender.
-- verdict is against the reference. It is faster or slower if the interval lies to one side of 1, and the ratio is
-- further from 1 than the duplicate's interval reaches. It is same if the interval lies within 5 % of 1 (is_same), else
-- unknown; also unknown for one launch, and if it or the reference is moot. is_best: the view `standing`. median_s is
-- the geometric mean over the launches of the median time, seconds, of the compared part, as in `result`.
CREATE VIEW ratio AS
WITH raced_over AS (
    SELECT race, environment, kind, wait, reference, point, contender, json_extract(e, '$[0]') AS launches, rounds,
           median_s, moot, compared, known, json_extract(e, '$[1]') AS mean, json_extract(e, '$[3]') AS reach, exp(json_extract(e, '$[1]')) AS ratio,
           exp(json_extract(e, '$[1]') - json_extract(e, '$[3]')) AS low, exp(json_extract(e, '$[1]') + json_extract(e, '$[3]')) AS high
    FROM (SELECT race, environment, kind, wait, reference, point, contender, sum(rounds) AS rounds,
                 exp(avg(ln(median_s))) AS median_s, avg(moot) > 0.5 AS moot,
                 max(compared) AS compared, max(until_known) AS known,
                 over_launches(ln(ratio), coalesce(until_known, 0)) AS e
          FROM launch_ratio
          GROUP BY race, environment, kind, wait, reference, point, contender)
)
SELECT o.race, o.point, p.workload, p.ranks, p.schedule, p.decomposition, p.placement,
       contender_name(p.contender, p.params, o.compared) AS name, o.contender, o.reference,
       o.environment, o.kind, o.wait,
       o.launches, o.rounds, o.median_s, o.ratio,
       o.low AS ratio_low,
       o.high AS ratio_high,
       CASE WHEN o.contender = 'reference' THEN NULL
            WHEN o.moot OR t.moot THEN 'inconclusive'
            ELSE CASE race_side(o.mean, o.reach, iif(o.contender = 'duplicate', 0, c.reach))
                 WHEN 1 THEN 'slower'
                 WHEN -1 THEN 'faster'
                 ELSE iif(is_same(o.low, o.high, o.launches, o.known), 'same', 'inconclusive') END END AS verdict,
       CASE WHEN o.contender <> 'duplicate' THEN s.is_best END AS is_best
FROM raced_over AS o
JOIN raced_over AS t ON t.race = o.race AND t.environment = o.environment AND t.kind = o.kind
    AND t.wait = o.wait AND t.reference = o.reference AND t.contender = 'duplicate'
JOIN point AS p ON p.id = o.point
LEFT JOIN noise AS c ON c.race = o.race AND c.environment = o.environment AND c.kind = o.kind
    AND c.wait = o.wait
LEFT JOIN standing AS s ON s.race = o.race AND s.environment = o.environment AND s.kind = o.kind
    AND s.wait = o.wait AND s.point = o.point;

-- The fastest contenders, a row for each of the set (`standing`), per instance and all columns that are never pooled.
CREATE VIEW best AS
SELECT p.workload, p.ranks, p.problem AS instance, s.race, s.environment, s.kind, s.wait,
       p.contender, s.point, s.ratio_to_fastest, s.contenders
FROM standing AS s
JOIN point AS p ON p.id = s.point
WHERE s.is_best;
