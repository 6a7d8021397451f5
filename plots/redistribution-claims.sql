-- title: Bhat, Prasanna, Raghavendra: what the paper states beside what our points give
-- sweep: redistribution-figure5a
-- options: --modelled
-- rows: workload = 'redistribute' AND json_extract(params, '$.factor') IS NOT NULL
-- rows: AND json_extract(params, '$.reverse') IS NULL AND json_extract(params, '$.columns') IS NULL
-- environments: all
-- paper: redistribution-claims
-- table: redistribution_points
-- data: points every value least most environment
-- verdict: Redistribution: what the paper states
--
-- A row for each statement, rank count and source: modelled, simulated, emulated (measured by the paper's own
-- method) and measured on a network that was itself measured; they are never combined. Mean, least and most of
-- the points, and the number of points for which the statement holds. A point is a network and factor. For
-- Figures 4 and 5(a), which draw means, it is a factor, with the mean of its networks. For the statement on
-- heterogeneity it is a range of bandwidths, for that on K an algorithm and network. Figures 4 and 5(a) use the
-- paper's range, 10 to 200 MB/s. With emulated links the bound is the emulated network's. A machine whose own
-- links do not carry link-bandwidth need not keep it.
WITH known AS (
    SELECT *,
           CASE WHEN kind IN ('modelled', 'simulated') THEN kind
                WHEN network IN ('emulated', 'measured') THEN network END AS source,
           coalesce(CASE WHEN kind <> 'modelled' THEN environment END, '') AS machine
    FROM redistribution_points
),
greedy AS (
    SELECT * FROM known WHERE contender = 'greedy' AND source IS NOT NULL
),
spreads AS (
    SELECT source, machine, ranks, 100 * (avg(s / lower_bound_s) - 1) AS value
    FROM greedy
    WHERE source = 'modelled'
      AND factor = 40
      AND heterogeneity > 0
    GROUP BY ranks, elements, heterogeneity
),
factors AS (
    SELECT source, machine, ranks, 100 * (max(s) / min(s) - 1) AS value
    FROM known
    WHERE contender IN ('greedy', 'direct')
      AND source IS NOT NULL
    GROUP BY source, machine, ranks, contender, json_remove(instance, '$.factor')
    HAVING count(DISTINCT factor) > 1
),
below AS (
    SELECT g.source, g.machine, g.ranks, g.heterogeneity, g.series_of, 100 * (1 - g.s / d.s) AS value
    FROM greedy AS g
    JOIN known AS d ON d.contender = 'direct' AND d.source = g.source AND d.machine = g.machine
        AND d.ranks = g.ranks AND d.instance = g.instance
),
points (claim, source, machine, ranks, value) AS (
    SELECT 'bound', source, machine, ranks, avg(100 * (s / lower_bound_s - 1))
    FROM greedy
    WHERE source = 'modelled'
      AND heterogeneity = 1900
    GROUP BY source, machine, ranks, series_of
    UNION ALL
    SELECT 'spread', source, machine, ranks, value FROM spreads
    UNION ALL
    SELECT 'optimal', source, machine, ranks, 100 * (s / lower_bound_s - 1)
    FROM greedy
    WHERE source = 'measured'
    UNION ALL
    SELECT 'direct', source, machine, ranks, avg(value)
    FROM below
    WHERE heterogeneity = 1900
    GROUP BY source, machine, ranks, series_of
    UNION ALL
    SELECT 'always', source, machine, ranks, value FROM below
    UNION ALL
    SELECT 'twice', source, machine, ranks, s / lower_bound_s FROM greedy WHERE source = 'modelled'
    UNION ALL
    SELECT 'varies', source, machine, ranks, value FROM factors
    UNION ALL
    SELECT 'cost', source, machine, ranks, 1000 * schedule_s
    FROM greedy
    WHERE ranks = 64
      AND factor = 63
    UNION ALL
    SELECT 'premise', source, machine, ranks, s / lower_bound_s
    FROM known
    WHERE source = 'measured'
      AND contender IN ('ac', 'alltoallv')
),
judged AS (
    SELECT p.claim, p.source, p.machine, p.ranks, count(*) AS n, avg(p.value) AS value,
           min(p.value) AS least, max(p.value) AS most,
           sum(p.value >= coalesce(t.least, p.value) AND p.value <= coalesce(t.most, p.value)
               AND (p.claim <> 'always' OR p.value > 0)) AS good,
           t.least IS NOT NULL OR t.most IS NOT NULL AS is_set
    FROM points AS p
    JOIN paper AS t ON t.claim = p.claim
    WHERE p.value IS NOT NULL
    GROUP BY p.claim, p.source, p.machine, p.ranks
)
SELECT t.place,
       t.statement,
       t.unit,
       t.printed AS paper,
       j.ranks,
       j.source,
       substr(j.machine, 1, 8) AS machine,
       round(j.value, 3) AS mean,
       round(j.least, 3) AS least_of_all,
       round(j.most, 3) AS most_of_all,
       CASE WHEN j.is_set THEN printf('%d of %d', j.good, j.n) END AS holds,
       CASE WHEN j.good = j.n THEN NULL
            WHEN j.claim = 'premise' THEN 'no bound here: a node has several transfers at a time'
            WHEN j.claim = 'always' THEN 'direct was faster on some: where links are all alike it leaves no gaps'
            WHEN j.claim = 'direct' AND j.least < 0 THEN 'direct was faster on some'
            WHEN j.claim = 'direct' AND j.most > 60 THEN 'more on some'
            WHEN j.claim = 'direct' THEN 'less on some'
            WHEN j.claim IN ('bound', 'spread', 'optimal') THEN 'farther from it on some'
       END AS remark,
       j.n AS points,
       t.every,
       j.value,
       j.least,
       j.most,
       j.machine AS environment
FROM paper AS t
JOIN judged AS j ON j.claim = t.claim
ORDER BY t.rowid, j.source DESC, j.machine, j.ranks;

-- says
-- A sentence for each statement of Bhat, Prasanna and Raghavendra and each kind of number. It holds
-- if it does for all points, in part if for at least half of them. A statement on every network is
-- refuted by a single exception. With fewer than five points it cannot be confirmed.
WITH counted AS (
    SELECT row_number() OVER () AS nth, *, CAST(holds AS INTEGER) AS good,
           CAST(substr(holds, instr(holds, ' of ') + 4) AS INTEGER) AS judged
    FROM plotted
)
SELECT source AS kind,
       place || ': ' || statement || ', ' || paper
           || CASE WHEN paper GLOB '*[0-9]*' THEN ' ' || unit ELSE '' END AS claim,
       CASE WHEN total(judged) = 0 THEN NULL
            WHEN total(good) = total(judged) THEN iif(sum(points) >= 5, 'yes', NULL)
            WHEN total(every) = 0 AND total(good) >= 0.5 * total(judged) THEN 'partly'
            ELSE 'no' END AS holds,
       CASE WHEN min(least) < max(most) THEN printf('%.3g to %.3g', min(least), max(most))
            ELSE printf('%.3g', max(most)) END
           || printf(' %s over %d point%s (P = %s)', unit, sum(points),
                     iif(sum(points) = 1, '', 's'),
                     replace(group_concat(DISTINCT ranks), ',', ', '))
           || CASE WHEN total(judged) > 0
                   THEN printf('; so at %d of %d', total(good), total(judged)) ELSE '' END
           || coalesce('; ' || group_concat(DISTINCT remark), '') || '.' AS sentence
FROM (SELECT * FROM counted ORDER BY ranks)
GROUP BY place, statement, source
ORDER BY min(nth);
