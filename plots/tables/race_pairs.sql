-- Every two contenders of each panel and size of `panels`: a row for each order of the two, and one for each
-- reference and its duplicate (is_duplicate, baseline the reference itself). middle is the ratio of contender to baseline,
-- in logarithms: in each launch the mean over the instances of the logarithm of the ratio there, then over the
-- launches (the function over_launches). For an application's patterns it is the logarithm of the ratio of their
-- times, all calls together. An instance that a launch lacks, as after an interrupt, comes from another such launch:
-- means over different instances differ. error is its standard error and reach the half width of Student's interval,
-- NULL for one launch. is_to_reference: some campaign used baseline as its reference. noise is the distance from 1 that
-- the interval of the noise reaches there, in logarithms. Simulated or modelled times have no noise: launches is
-- NULL, the noise is the limit of a tie (tie_of), and the reference is the first that nuce lists.
WITH entered AS (
    SELECT g.panel, g.size, g.contender, g.calls, l.point, l.contender AS role, l.race, l.campaign, l.job,
           l.ratio, coalesce(l.until_known, 0) AS known, max(l.median_s) FILTER (WHERE l.contender = 'reference')
               OVER (PARTITION BY g.panel, g.size, l.race, l.campaign, l.job) AS reference_s
    FROM panels AS g
    JOIN launch_ratio AS l ON l.point = g.point AND l.environment = g.environment AND l.kind = g.kind
        AND l.wait = g.wait
    WHERE g.is_empty IS NOT 1
),
-- Two contenders of an instance in a launch; nth_instance numbers the instances, points are those of the launch.
met AS (
    SELECT *, count(*) OVER (PARTITION BY panel, size, contender, is_duplicate, baseline, campaign, job) AS points,
           dense_rank() OVER (PARTITION BY panel, size, contender, is_duplicate, baseline ORDER BY point) AS nth_instance
    FROM (SELECT a.panel, a.size, a.contender, a.role = 'duplicate' AS is_duplicate, b.contender AS baseline,
                 b.role = 'reference' AS is_to_reference, a.known, a.point, a.campaign, a.job, a.calls,
                 ln(a.ratio / b.ratio) AS l, a.calls * a.reference_s * a.ratio AS s,
                 b.calls * b.reference_s * b.ratio AS baseline_s
          FROM entered AS a
          JOIN entered AS b ON b.panel = a.panel AND b.size = a.size AND b.race = a.race
              AND b.campaign = a.campaign AND b.job = a.job
          WHERE b.role <> 'duplicate'
            AND (a.role = 'duplicate') = (a.contender = b.contender))
),
-- Launches with all instances, and the others put together: the first of each instance, the second, ...
whole AS (
    SELECT *, iif(is_whole, campaign || ' ' || job,
                  row_number() OVER (PARTITION BY panel, size, contender, is_duplicate, baseline, is_whole, point
                                     ORDER BY campaign, job)) AS launch
    FROM (SELECT *, points = max(nth_instance) OVER (PARTITION BY panel, size, contender, is_duplicate, baseline)
                     AS is_whole
          FROM met)
),
launched AS (
    SELECT *
    FROM (SELECT panel, size, contender, is_duplicate, baseline, max(is_to_reference) AS is_to_reference,
                 max(known) AS known, iif(max(calls) IS NULL, avg(l), ln(sum(s) / sum(baseline_s))) AS l,
                 count(*) AS points,
                 max(count(*)) OVER (PARTITION BY panel, size, contender, is_duplicate, baseline) AS most
          FROM whole
          GROUP BY panel, size, contender, is_duplicate, baseline, launch)
    WHERE points = most
),
paired AS (
    SELECT panel, size, contender, is_duplicate, baseline, max(is_to_reference) AS is_to_reference,
           over_launches(l, known) AS e
    FROM launched
    GROUP BY panel, size, contender, is_duplicate, baseline
),
exact AS (
    SELECT panel, size, contender, s,
           first_value(contender) OVER (PARTITION BY panel, size ORDER BY place IS NULL, place, contender)
               AS reference
    FROM (SELECT g.panel, g.size, g.contender, avg(g.weight * g.s) AS s, min(a.place) AS place
          FROM panels AS g
          LEFT JOIN contenders AS a ON a.name = g.contender
          WHERE g.kind <> 'measured'
            AND g.s > 0
            AND g.is_empty IS NOT 1
          GROUP BY g.panel, g.size, g.contender)
),
compared AS (
    SELECT panel, size, contender, is_duplicate, baseline, is_to_reference, json_extract(e, '$[0]') AS launches,
           json_extract(e, '$[1]') AS middle, json_extract(e, '$[2]') AS error, json_extract(e, '$[3]') AS reach
    FROM paired
    UNION ALL
    SELECT a.panel, a.size, a.contender, 0, b.contender, b.contender = b.reference, NULL,
           ln(a.s / b.s), 0.0, 0.0
    FROM exact AS a
    JOIN exact AS b ON b.panel = a.panel AND b.size = a.size AND b.contender <> a.contender
),
-- The ratios of references to themselves, for any reference of a campaign: a difference must exceed the distance
-- of that interval from 1. Computed times have the limit of a tie there instead.
noises AS (
    SELECT panel, size, abs(json_extract(e, '$[1]')) + json_extract(e, '$[3]') AS reach
    FROM (SELECT panel, size, over_launches(l, known) AS e FROM launched WHERE is_duplicate GROUP BY panel, size)
    UNION ALL
    SELECT panel, size, tie_of(max(kind)) FROM panels WHERE kind <> 'measured' GROUP BY panel, size
)
SELECT c.*, o.reach AS noise
FROM compared AS c
LEFT JOIN noises AS o ON o.panel = c.panel AND o.size = c.size
