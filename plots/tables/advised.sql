-- The advice on each exchange of `chosen` that raced: a row for each problem and environment. `now` is the contender
-- that stands for the call as it is: for a captured pattern the application's own call, else alltoallv, else the
-- reference. candidate is the simplest of the fastest (as in the view `standing`: no other is shown to beat it) that is
-- significantly faster than `now`; NULL: there is none. Simplest: the order of `by_simplicity`, then fewer options, then
-- the least time. rule is the candidate, or 'library' where `now` stays, or NULL where the race says nothing; reason
-- says why `now` stays. cost_s is what making the candidate's schedule takes once, pays_after the number of calls by
-- which it has paid for that, at the unfavourable end of the ratio's interval. saved_s is the time saved in an hour of
-- the application, low and high its interval: calls per hour, times the raced time of `now` (or the median of a call
-- in the application, if that is less, since a race begins each call anew), less the cost. It is NULL if calls
-- or times are unknown. class is the range of bytes and degree of at least three patterns with one rule, in which no
-- other pattern has another. knob is the setting of MPI_Alltoallv that limits the messages in flight alike, NULL where
-- it would change nothing: MPICH posts up to 32 messages at once. Open MPI 4.1 and 5.0 post all or exchange with one rank
-- after another (alltoallv_intra_dec_fixed in coll/tuned), by the number of ranks. A race of the setting is one of an
-- exchange whose variable is a sweep's key, set and not set: knob_told has its ratio, and it gets no advice of its own.
-- With the word `disturbed`, races with other load or too few processors count as well.
WITH knob_raced AS (
    SELECT instance,
           json_remove(instance, '$.MPIR_CVAR_ALLTOALL_THROTTLE', '$.OMPI_MCA_coll_tuned_alltoallv_algorithm',
                       '$.OMPI_MCA_coll_tuned_use_dynamic_rules') AS bare,
           coalesce(json_extract(instance, '$.MPIR_CVAR_ALLTOALL_THROTTLE'),
                    json_extract(instance, '$.OMPI_MCA_coll_tuned_alltoallv_algorithm')) IS NOT NULL AS is_set
    FROM (SELECT DISTINCT instance FROM chosen)
    WHERE instance LIKE '%"MPIR_CVAR_ALLTOALL_THROTTLE":%'
       OR instance LIKE '%"OMPI_MCA_coll_tuned_alltoallv_algorithm":%'
),
noises AS (
    SELECT instance, ranks, environment, exp(mean) AS ratio, exp(mean - reach) AS low, exp(mean + reach) AS high,
           abs(mean) + reach AS reach
    FROM advice_paired
    WHERE is_duplicate
    GROUP BY instance, ranks, environment
    HAVING reach = max(reach)
        OR reach IS NULL
),
compared AS (
    SELECT p.instance, p.ranks, p.environment, p.point,
           max(is_slower(p.launches, p.mean, p.error, p.rivals, n.reach)) AS is_slower
    FROM (SELECT *, count(*) OVER (PARTITION BY instance, ranks, environment, point) AS rivals
          FROM advice_paired
          WHERE NOT is_duplicate) AS p
    LEFT JOIN noises AS n ON n.instance = p.instance AND n.ranks = p.ranks AND n.environment = p.environment
    GROUP BY p.instance, p.ranks, p.environment, p.point
),
stood AS (
    SELECT instance, ranks, environment, point,
           CASE WHEN is_slower THEN 0
                WHEN met + 1 = total(is_slower = 0) OVER (PARTITION BY instance, ranks, environment) THEN 1 - is_slower END
               AS is_best
    FROM (SELECT c.*, total(b.is_slower = 0) AS met -- its rivals that are not slower than some
          FROM compared AS c
          JOIN advice_paired AS p ON p.point = c.point AND p.environment = c.environment AND NOT p.is_duplicate
          JOIN compared AS b ON b.point = p.baseline AND b.environment = p.environment
          GROUP BY c.instance, c.ranks, c.environment, c.point)
),
contended AS (
    SELECT c.instance, c.ranks, c.environment, c.point, c.contender, c.schedule, c.params, c.metrics, c.oversubscribed,
           coalesce(c.schedule_s, 0) + coalesce(c.gather_s, 0) + coalesce(json_extract(c.metrics, '$.hand_out_s'), 0)
               AS cost_s,
           (SELECT avg(median_s) FROM advice_entered AS e WHERE e.point = c.point AND e.environment = c.environment
                AND e.role <> 'duplicate') AS s,
           EXISTS (SELECT 1 FROM advice_paired AS p WHERE p.baseline = c.point AND p.environment = c.environment
                   AND p.is_to_reference) AS is_reference,
           1000 * b.place + 100 * (c.schedule = 'ac' AND c.contender <> 'ac')
               + (length(c.contender) - length(replace(c.contender, ' ', ''))) AS effort,
           CASE coalesce(json_extract(c.metrics, '$.captured_kind'), 'none')
               WHEN 'exchange' THEN 'ac'
               WHEN 'neighbor_alltoallv' THEN 'neighbor'
               WHEN 'neighbor_alltoallw' THEN 'neighbor'
               ELSE 'alltoallv' END AS called
    FROM chosen AS c
    JOIN by_simplicity AS b ON b.name = c.schedule
    WHERE EXISTS (SELECT 1 FROM advice_paired AS p WHERE p.point = c.point AND p.environment = c.environment AND NOT p.is_duplicate)
      AND NOT (c.instance IN (SELECT instance FROM knob_raced WHERE is_set)
               AND EXISTS (SELECT 1 FROM knob_raced AS o JOIN knob_raced AS s ON s.bare = o.bare
                           WHERE s.instance = c.instance AND NOT o.is_set))
),
todays AS (
    SELECT *, row_number() OVER (PARTITION BY instance, ranks, environment
                                 ORDER BY contender = called DESC, is_reference DESC, effort, contender) AS nth
    FROM contended
),
-- Each contender beside the present one (`now`).
judged AS (
    SELECT c.*, t.contender AS now, t.point AS now_point, t.contender = t.called AS now_is_called, t.s AS now_s, p.moot,
           p.launches, exp(p.mean) AS ratio, exp(p.mean - p.reach) AS low, exp(p.mean + p.reach) AS high,
           race_side(p.mean, p.reach, n.reach) AS side, s.is_best,
           row_number() OVER (PARTITION BY c.instance, c.ranks, c.environment
                              ORDER BY s.is_best = 1 AND NOT p.moot AND race_side(p.mean, p.reach, n.reach) = -1 DESC,
                                  c.effort, p.mean, c.contender) AS nth
    FROM contended AS c
    JOIN todays AS t ON t.instance = c.instance AND t.ranks = c.ranks AND t.environment = c.environment AND t.nth = 1
    LEFT JOIN advice_paired AS p ON p.point = c.point AND p.baseline = t.point AND p.environment = c.environment
        AND NOT p.is_duplicate
    LEFT JOIN stood AS s ON s.point = c.point AND s.environment = c.environment
    LEFT JOIN noises AS n ON n.instance = c.instance AND n.ranks = c.ranks AND n.environment = c.environment
),
launched AS (
    SELECT e.instance, e.ranks, e.environment, count(DISTINCT e.campaign || ' ' || e.job) AS launches,
           count(DISTINCT iif(d.busy, e.campaign || ' ' || e.job, NULL)) AS busy,
           (SELECT group_concat(campaign, ', ') FROM (SELECT DISTINCT x.campaign FROM advice_entered AS x
                WHERE x.instance = e.instance AND x.ranks = e.ranks AND x.environment = e.environment ORDER BY 1))
               AS campaigns,
           max(d.processors) AS processors
    FROM advice_entered AS e
    JOIN disturbed_run AS d ON d.run = e.run
    GROUP BY e.instance, e.ranks, e.environment
),
found AS (
    SELECT j.instance, j.ranks, j.environment, j.point, j.now, j.now_point, j.now_is_called, j.now_s,
           iif(j.side = -1 AND j.is_best AND NOT j.moot, j.contender, NULL) AS candidate, j.schedule, j.params, j.ratio,
           j.low, j.high, nullif(j.cost_s, 0) AS cost_s,
           (SELECT max(x.side = -1 AND x.is_best IS NULL) FROM judged AS x WHERE x.instance = j.instance
                AND x.ranks = j.ranks AND x.environment = j.environment) AS is_apart,
           (SELECT max(x.moot) FROM advice_paired AS x WHERE x.instance = j.instance AND x.ranks = j.ranks
                AND x.environment = j.environment) AS moot,
           n.ratio AS noise, n.low AS noise_low, n.high AS noise_high,
           l.launches, l.busy, l.campaigns, l.processors, coalesce(j.oversubscribed, 0) AS oversubscribed,
           json_extract(j.metrics, '$.captured_kind') AS captured_kind,
           json_extract(j.metrics, '$.captured_calls') AS calls,
           json_extract(j.metrics, '$.captured_elapsed_s') AS elapsed_s,
           json_extract(j.metrics, '$.captured_call_s') AS call_s,
           json_extract(j.metrics, '$.pattern_fingerprint') AS fingerprint,
           1.0 * json_extract(j.metrics, '$.bytes') / nullif(json_extract(j.metrics, '$.messages'), 0) AS bytes,
           1.0 * json_extract(j.metrics, '$.messages') / j.ranks AS degree,
           coalesce((SELECT max(x.launches) FROM advice_paired AS x WHERE x.instance = j.instance AND x.ranks = j.ranks
                AND x.environment = j.environment), 0) AS most_launches
    FROM judged AS j
    JOIN launched AS l ON l.instance = j.instance AND l.ranks = j.ranks AND l.environment = j.environment
    LEFT JOIN noises AS n ON n.instance = j.instance AND n.ranks = j.ranks AND n.environment = j.environment
    WHERE j.nth = 1
),
-- The number of calls, and the time of a call that a schedule can shorten.
priced AS (
    SELECT *, iif(candidate IS NULL OR cost_s IS NULL, NULL, ceil(cost_s / (shortened_s * (1 - high)))) AS pays_after,
           iif(elapsed_s > 0, 3600 / elapsed_s, NULL) AS hourly
    FROM (SELECT *, coalesce(min(call_s, now_s), now_s) AS shortened_s FROM found)
),
decided AS (
    SELECT *,
           CASE WHEN moot THEN 'a step is too short to measure, or has no message'
                WHEN most_launches < 2 THEN 'one launch has no interval'
                WHEN candidate IS NULL AND is_apart THEN 'the faster ones did not all race in the same launches'
                WHEN EXISTS (SELECT 1 FROM word WHERE word = 'disturbed') THEN NULL
                WHEN 2 * busy >= launches THEN printf('other load in %d of %d launches', busy, launches)
                WHEN oversubscribed THEN printf('%d ranks on %d processors', ranks, processors) END AS doubt,
           CASE WHEN candidate IS NULL THEN 'no contender is significantly faster'
                WHEN pays_after > calls
                THEN printf('%s pays after %d calls, the application makes %d', candidate, pays_after, calls) END
               AS reason
    FROM priced
),
ruled AS (
    SELECT *, CASE WHEN doubt IS NULL THEN iif(reason IS NULL, candidate, 'library') END AS rule,
           CASE WHEN captured_kind IS NULL OR captured_kind IN ('exchange', 'alltoall', 'matrix') THEN 'alltoallv'
                ELSE captured_kind END AS call,
           CASE captured_kind WHEN 'exchange' THEN 'sends' WHEN 'alltoall' THEN 'MPI_Alltoall' END AS beyond_apply
    FROM decided
),
-- Sends raced against sends: nothing follows for a collective call with another pattern.
classes AS (
    SELECT environment, call, ranks, rule, CAST(floor(min(bytes)) AS INTEGER) AS bytes_low,
           CAST(ceil(max(bytes)) AS INTEGER) AS bytes_high, CAST(floor(min(degree)) AS INTEGER) AS degree_low,
           CAST(ceil(max(degree)) AS INTEGER) AS degree_high
    FROM ruled
    WHERE rule IS NOT NULL
      AND coalesce(captured_kind, '') <> 'exchange'
    GROUP BY environment, call, ranks, rule
    HAVING count(DISTINCT fingerprint) >= 3
),
-- held: the messages in flight of the advised one, 0: all.
knobbed AS (
    SELECT *,
           CASE WHEN library LIKE 'MPICH%' AND held < ranks AND (held BETWEEN 1 AND 31 OR held = 0 AND ranks > 32)
                THEN json_object('MPIR_CVAR_ALLTOALL_THROTTLE', CAST(held AS TEXT))
                WHEN library LIKE 'Open MPI%' AND held < 2
                     AND (held = 1) <> (ranks < 4 OR ranks BETWEEN 64 AND 127 OR ranks BETWEEN 256 AND 1023)
                THEN json_object('OMPI_MCA_coll_tuned_use_dynamic_rules', '1',
                                 'OMPI_MCA_coll_tuned_alltoallv_algorithm', iif(held = 1, '2', '1')) END AS variables
    FROM (SELECT r.*, json_extract(e.described, '$.mpi.library') AS library,
                 CASE WHEN r.rule IS NULL OR r.rule = 'library' OR r.call <> 'alltoallv'
                           OR coalesce(r.captured_kind, '') = 'exchange' THEN NULL
                      WHEN r.schedule = 'lp' THEN 1
                      WHEN r.schedule = 'ac' THEN coalesce(json_extract(r.params, '$."in-flight"'), 0) END AS held
          FROM ruled AS r
          JOIN environment AS e ON e.id = r.environment)
),
-- The launches of the call as it is, with its setting and without, in campaigns that have both. A call that ran in its
-- nonblocking form may not look at it.
knob_launched AS (
    SELECT k.now_point AS point, k.environment, l.median_s, l.point <> k.now_point AS is_set
    FROM knobbed AS k
    JOIN environment AS e ON e.id = k.environment
    JOIN point AS n ON n.id = k.now_point
    JOIN point AS s ON s.workload = n.workload AND s.ranks = n.ranks AND s.contender = n.contender
        AND s.problem = json_patch(n.problem, k.variables)
    JOIN launch_ratio AS l ON l.point IN (n.id, s.id)
    JOIN environment AS o ON o.id = l.environment
    JOIN run AS u ON u.id = l.run
    WHERE l.contender <> 'duplicate'
      AND s.id <> n.id
      AND NOT l.moot
      AND json_remove(o.described, '$.variables') = json_remove(e.described, '$.variables')
      AND json_extract(u.metrics, '$.nonblocking') IS NULL
      AND 2 = (SELECT count(DISTINCT point) FROM run WHERE campaign = l.campaign AND point IN (n.id, s.id))
)
SELECT r.*,
       trim(coalesce(json_extract(e.described, '$.machine'), '') || ' '
            || coalesce(json_extract(e.described, '$.processor'), '')) AS machine,
       told_library(json_extract(e.described, '$.mpi.library')) AS mpi,
       (SELECT group_concat(key || '=' || value, ' ') FROM json_each(r.variables)) AS knob,
       iif(r.variables IS NULL, NULL, coalesce(
           (SELECT 'raced: ' || told_ratio(exp(mean), exp(mean - reach), exp(mean + reach)) || ' to ' || r.now
                   || ' without it'
            FROM (SELECT json_extract(a, '$[1]') - json_extract(b, '$[1]') AS mean,
                         sqrt(pow(json_extract(a, '$[3]'), 2) + pow(json_extract(b, '$[3]'), 2)) AS reach
                  FROM (SELECT over_launches(ln(iif(is_set, median_s, NULL))) AS a,
                               over_launches(ln(iif(is_set, NULL, median_s))) AS b
                        FROM knob_launched AS l
                        WHERE l.point = r.now_point AND l.environment = r.environment))
            WHERE mean IS NOT NULL),
           printf('not raced: nuce race -- mpiexec -n %d ./app -- env %s mpiexec -n %d ./app', r.ranks,
                  (SELECT group_concat(key || '=' || value, ' ') FROM json_each(r.variables)), r.ranks))) AS knob_told,
       iif(rule IS NULL OR rule = 'library', NULL,
           (calls * (shortened_s * (1 - ratio)) - coalesce(cost_s, 0)) * hourly) AS saved_s,
       iif(rule IS NULL OR rule = 'library', NULL,
           (calls * (shortened_s * (1 - high)) - coalesce(cost_s, 0)) * hourly) AS saved_low_s,
       iif(rule IS NULL OR rule = 'library', NULL,
           (calls * (shortened_s * (1 - low)) - coalesce(cost_s, 0)) * hourly) AS saved_high_s,
       (SELECT printf('bytes=%d..%d degree=%d..%d', bytes_low, bytes_high, degree_low, degree_high)
        FROM classes AS c
        WHERE c.environment = r.environment AND c.call = r.call AND c.ranks = r.ranks AND c.rule = r.rule
          AND coalesce(r.captured_kind, '') <> 'exchange'
          AND NOT EXISTS (SELECT 1 FROM ruled AS o
                          WHERE o.environment = c.environment AND o.call = c.call AND o.ranks = c.ranks
                            AND o.rule <> c.rule AND o.bytes BETWEEN c.bytes_low AND c.bytes_high
                            AND o.degree BETWEEN c.degree_low AND c.degree_high)) AS class
FROM knobbed AS r
JOIN environment AS e ON e.id = r.environment
