-- The advice on each exchange of `chosen` that raced: a row for each problem and environment. `now` is the contender
-- that stands for the call as it is: for a captured pattern the application's own call, else alltoallv, else the
-- reference. candidate is the simplest of the fastest (as in the view `standing`: no other is shown to beat it) that
-- is significantly faster than `now`; NULL: there is none. Simplest: the order of `by_simplicity`, then fewer
-- options, then the least time. rule is the candidate, or 'library' where `now` stays, or NULL where the race says
-- nothing; reason says why `now` stays. cost_s is what making the candidate's schedule takes once, pays_after the
-- number of calls by which it has paid for that, at the unfavourable end of the ratio's interval. saved_s is the time
-- saved in an hour of the application, low and high its interval: calls per hour, times the raced time of `now` (or
-- the median of a call in the application, if that is less, since a race begins each call anew), less the cost. It is
-- NULL if calls or times are unknown. class is the range of bytes and degree of at least three patterns with one
-- rule, in which no other pattern has another. knob is the setting of MPI_Alltoallv that limits the messages in
-- flight alike, NULL where it would change nothing: MPICH posts up to 32 messages at once, of any all-to-all. With
-- the word `disturbed`, races with other load or too few processors count as well.
WITH noises AS (
    SELECT instance, ranks, environment, exp(mean) AS ratio, exp(mean - reach) AS low, exp(mean + reach) AS high,
           abs(mean) + reach AS reach
    FROM advice_paired
    WHERE is_duplicate
    GROUP BY instance, ranks, environment
    HAVING reach = max(reach)
        OR reach IS NULL
),
stood AS (
    SELECT instance, ranks, environment, point,
           CASE WHEN is_slower THEN 0
                WHEN rivals + 1 = count(*) OVER (PARTITION BY instance, ranks, environment) THEN 1 - is_slower END
               AS is_best
    FROM (SELECT p.instance, p.ranks, p.environment, p.point, p.rivals,
                 max(is_slower(p.launches, p.mean, p.error, p.rivals, n.reach)) AS is_slower
          FROM (SELECT *, count(*) OVER (PARTITION BY instance, ranks, environment, point) AS rivals
                FROM advice_paired
                WHERE NOT is_duplicate) AS p
          LEFT JOIN noises AS n ON n.instance = p.instance AND n.ranks = p.ranks AND n.environment = p.environment
          GROUP BY p.instance, p.ranks, p.environment, p.point)
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
),
todays AS (
    SELECT *, row_number() OVER (PARTITION BY instance, ranks, environment
                                 ORDER BY contender = called DESC, is_reference DESC, effort, contender) AS nth
    FROM contended
),
-- Each contender beside the present one (`now`).
judged AS (
    SELECT c.*, t.contender AS now, t.contender = t.called AS now_is_called, t.s AS now_s, p.moot,
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
    SELECT j.instance, j.ranks, j.environment, j.point, j.now, j.now_is_called, j.now_s,
           iif(j.side = -1 AND j.is_best AND NOT j.moot, j.contender, NULL) AS candidate, j.schedule, j.params, j.ratio,
           j.low, j.high, nullif(j.cost_s, 0) AS cost_s,
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
                ELSE captured_kind END AS call
    FROM decided
),
classes AS (
    SELECT environment, call, ranks, rule, CAST(floor(min(bytes)) AS INTEGER) AS bytes_low,
           CAST(ceil(max(bytes)) AS INTEGER) AS bytes_high, CAST(floor(min(degree)) AS INTEGER) AS degree_low,
           CAST(ceil(max(degree)) AS INTEGER) AS degree_high
    FROM ruled
    WHERE rule IS NOT NULL
    GROUP BY environment, call, ranks, rule
    HAVING count(DISTINCT fingerprint) >= 3
)
SELECT r.*,
       trim(coalesce(json_extract(e.described, '$.machine'), '') || ' '
            || coalesce(json_extract(e.described, '$.processor'), '')) AS machine,
       told_library(json_extract(e.described, '$.mpi.library')) AS mpi,
       CASE WHEN rule IS NULL OR schedule <> 'ac' OR rule = 'library' OR coalesce(captured_kind, 'alltoallv') <> 'alltoallv'
            THEN NULL
            WHEN json_extract(e.described, '$.mpi.library') LIKE 'MPICH%'
                 AND coalesce(json_extract(params, '$."in-flight"'), 33) < ranks
            THEN 'MPIR_CVAR_ALLTOALL_THROTTLE=' || coalesce(json_extract(params, '$."in-flight"'), 0)
            WHEN json_extract(e.described, '$.mpi.library') LIKE 'Open MPI%'
                 AND coalesce(json_extract(params, '$."in-flight"'), 0) < 2
            THEN 'OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_alltoallv_algorithm='
                || iif(json_extract(params, '$."in-flight"') = 1, 2, 1) END AS knob,
       iif(rule IS NULL OR rule = 'library', NULL,
           (calls * (shortened_s * (1 - ratio)) - coalesce(cost_s, 0)) * hourly) AS saved_s,
       iif(rule IS NULL OR rule = 'library', NULL,
           (calls * (shortened_s * (1 - high)) - coalesce(cost_s, 0)) * hourly) AS saved_low_s,
       iif(rule IS NULL OR rule = 'library', NULL,
           (calls * (shortened_s * (1 - low)) - coalesce(cost_s, 0)) * hourly) AS saved_high_s,
       (SELECT printf('bytes=%d..%d degree=%d..%d', bytes_low, bytes_high, degree_low, degree_high)
        FROM classes AS c
        WHERE c.environment = r.environment AND c.call = r.call AND c.ranks = r.ranks AND c.rule = r.rule
          AND NOT EXISTS (SELECT 1 FROM ruled AS o
                          WHERE o.environment = c.environment AND o.call = c.call AND o.ranks = c.ranks
                            AND o.rule <> c.rule AND o.bytes BETWEEN c.bytes_low AND c.bytes_high
                            AND o.degree BETWEEN c.degree_low AND c.degree_high)) AS class
FROM ruled AS r
JOIN environment AS e ON e.id = r.environment
