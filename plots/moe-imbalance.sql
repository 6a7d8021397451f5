-- title: Mixture of experts: ratio to alltoallv over the imbalance, without and with the cost of the schedule, and
-- its break-even
-- sweep: moe-imbalance
-- rows: workload = 'exchange' AND contender IS NOT NULL AND placement IS NULL AND pattern = 'moe'
-- rows: AND json_extract(params, '$.steps') IS NULL
-- rows: AND communication_s IS NOT NULL AND kind <> 'modelled'
-- apart: workload ranks pattern network
-- table: panel_times panel_rows panels race_pairs
-- heading: heading panel
-- panel: panel
-- series: contender
-- style: style
-- cells: interval with_cost schedule_cost gather_cost pays_after
-- heads: interval ratio [95 %]
-- data: kind ranks ratio low high side costing costing_low costing_high pays_after_steps pays_after_low
-- pays_after_high
-- data: base_s schedule_s gather_s launches
-- size: 1200x800
--
-- imbalance is the busiest expert's load over the mean. ratio is relative to alltoallv with its 95 % interval over
-- launches. schedule_cost is the time of computing the schedule once. gather_cost is the time
-- until all ranks know all messages; it is 0 for alltoallv and for schedules that need only a rank's own row. with_cost
-- is ratio plus both over alltoallv's time: a step with a new schedule, as tokens go elsewhere. pays_after is the
-- break-even: the number of steps with one schedule that compensates for both costs, at the ends of that interval. It
-- is only given for schedules that are significantly faster than alltoallv. Contenders that never raced with alltoallv
-- as their reference are not shown. Simulated times are compared directly; computing takes no time there, so no cost is
-- known. There is no model of alltoallv.
WITH
-- The ratio of each contender of a panel and size to any other (race_pairs), for any reference of its campaigns,
-- with the 95 % interval over launches, NULL for one; the ratio to itself is 1. side: 1 if it is significantly
-- slower, -1 faster, 0 neither. is_to_reference: in some launch of the two baseline was the reference, so this
-- contender was meant for that comparison.
ratios AS (
    SELECT panel, size, contender, baseline, is_to_reference, launches, exp(middle) AS ratio,
           exp(middle - reach) AS low, exp(middle + reach) AS high, race_side(middle, reach, noise) AS side
    FROM race_pairs
    WHERE NOT is_duplicate
    UNION ALL
    SELECT panel, size, baseline, baseline, max(is_to_reference), NULL, 1.0, NULL, NULL, NULL
    FROM race_pairs
    WHERE NOT is_duplicate
    GROUP BY panel, size, baseline
),
moe AS (
    SELECT p.panel AS race, p.size, p.contender, p.kind, p.ranks, p.s,
           -- Computing takes no simulated time.
           iif(p.kind = 'measured', coalesce(p.schedule_s, 0), NULL) AS schedule_s,
           iif(c.schedule IN (SELECT name FROM whole_schedules), coalesce(c.gather_s, 0), 0) AS gather_s,
           json_extract(p.instance, '$.imbalance') AS imbalance,
           'exchange moe, ' || json_extract(p.instance, '$.tokens') || ' tokens a rank, '
               || coalesce(p.size_of || p.at || ', ', '') || p.ranks || iif(p.ranks = 1, ' rank', ' ranks')
               || iif(p.kind = 'measured', '', ', ' || p.kind)
               || coalesce(', network ' || json_extract(p.instance, '$.network'), '') AS panel
    FROM panels AS p
    JOIN chosen AS c ON c.point = p.point AND c.kind = p.kind AND c.environment = p.environment AND c.wait = p.wait
    WHERE p.is_empty IS NOT 1
      AND p.too_short IS NOT 1
      AND json_extract(p.instance, '$.imbalance') IS NOT NULL
      AND p.s > 0
),
based AS (
    SELECT m.panel, m.contender, m.kind, m.ranks, m.imbalance, m.schedule_s, m.gather_s, b.s AS base_s, r.launches,
           iif(m.kind = 'measured', r.ratio, m.s / b.s) AS ratio,
           r.low, r.high, iif(m.kind = 'measured', r.side, race_side(ln(m.s / b.s), 0, tie_of(m.kind))) AS side
    FROM moe AS m
    JOIN moe AS b ON b.race = m.race AND b.size = m.size AND b.imbalance = m.imbalance AND b.contender = 'alltoallv'
    LEFT JOIN ratios AS r ON r.panel = m.race AND r.size = m.size AND r.contender = m.contender
        AND r.baseline = 'alltoallv' AND r.is_to_reference AND m.kind = 'measured'
    WHERE m.kind <> 'measured' OR r.ratio IS NOT NULL
),
rated AS (
    SELECT b.*, (b.schedule_s + b.gather_s) / b.base_s AS cost,
           b.side = -1 AND b.contender <> 'alltoallv' AS wins, a.place
    FROM based AS b
    LEFT JOIN contenders AS a ON a.name = b.contender
),
told AS (
    SELECT panel, panel AS heading, contender, imbalance, kind, ranks, launches, ratio, low, high, base_s, schedule_s,
           gather_s, iif(contender = 'alltoallv', NULL, side) AS side,
           ratio + cost AS costing, low + cost AS costing_low, high + cost AS costing_high,
           iif(wins, cost / (1 - ratio), NULL) AS pays_after_steps, iif(wins, cost / (1 - low), NULL) AS pays_after_low,
           iif(wins, cost / (1 - high), NULL) AS pays_after_high, place AS style
    FROM rated
)
SELECT heading, panel, contender, imbalance,
       CASE WHEN contender = 'alltoallv' THEN '1'
            ELSE told_ratio(ratio, low, high) END AS interval,
       iif(costing IS NULL, NULL, told_ratio(costing, NULL, NULL)) AS with_cost,
       told_time(schedule_s) AS schedule_cost, told_time(nullif(gather_s, 0)) AS gather_cost,
       CASE WHEN pays_after_high IS NULL THEN NULL
            WHEN pays_after_high <= 1 THEN 'at once'
            ELSE printf('%d steps [%d, %d]', ceil(pays_after_steps), ceil(pays_after_low), ceil(pays_after_high))
            END AS pays_after,
       kind, ranks, ratio, low, high, side, costing, costing_low, costing_high, pays_after_steps, pays_after_low,
       pays_after_high, base_s, schedule_s, gather_s, launches, style
FROM told
ORDER BY panel, style IS NULL, style, contender, imbalance;

-- says
-- The value of a schedule for tokens that go elsewhere in every step. For each panel it names the contender with the
-- least time relative to alltoallv, including gathering and scheduling in each step, over all tested imbalances. It
-- also names the imbalance from which a kept schedule pays. A schedule pays if it is significantly faster than
-- alltoallv, by the interval and the noise of its race, there and at all larger tested imbalances. The steps are the
-- most that it needs there to compensate for that cost, by the upper end of the interval. A contender that is
-- significantly slower at all imbalances does not pay; all others are inconclusive. One launch is never conclusive.
WITH best AS (
    SELECT panel, kind, imbalance, contender, costing, pays_after_high,
           row_number() OVER (PARTITION BY panel, imbalance ORDER BY costing, contender) AS nth
    FROM plotted
    WHERE contender <> 'alltoallv'
      AND costing IS NOT NULL
),
anew AS (
    SELECT panel, kind, min(imbalance) AS least, max(imbalance) AS most, count(*) AS tried,
           total(pays_after_high <= 1) AS pay_at_once, min(costing) AS lowest, max(costing) AS highest,
           group_concat(DISTINCT contender) AS contenders
    FROM (SELECT * FROM best ORDER BY panel, imbalance)
    WHERE nth = 1
    GROUP BY panel, kind
),
-- The imbalance beyond which a contender is always faster: NULL if it is at all of them.
ends AS (
    SELECT panel, contender, max(imbalance) FILTER (WHERE side IS NOT -1) AS behind, min(side) AS least_side,
           count(side) = count(*) AS is_known
    FROM plotted
    WHERE contender <> 'alltoallv'
    GROUP BY panel, contender
),
contenders_of AS (
    SELECT p.panel, p.kind, p.contender, p.style, e.least_side = 1 AND e.is_known AS is_slower,
           min(p.imbalance) FILTER (WHERE e.behind IS NULL OR p.imbalance > e.behind) AS from_on,
           max(ceil(p.pays_after_high)) FILTER (WHERE e.behind IS NULL OR p.imbalance > e.behind) AS steps
    FROM plotted AS p
    JOIN ends AS e ON e.panel = p.panel AND e.contender = p.contender
    GROUP BY p.panel, p.contender
),
kept AS (
    SELECT panel, kind,
           group_concat(printf('from imbalance %g on %s pays, %s', from_on, contender,
                               CASE WHEN steps IS NULL THEN 'without its scheduling, whose time is not known here'
                                    ELSE printf('with its scheduling in after %d step%s', max(1, steps),
                                                iif(steps > 1, 's', '')) END), '; ')
               FILTER (WHERE from_on IS NOT NULL) AS pay,
           group_concat(contender, ', ') FILTER (WHERE is_slower) AS slower,
           group_concat(contender, ', ') FILTER (WHERE from_on IS NULL AND NOT is_slower) AS open
    FROM (SELECT * FROM contenders_of ORDER BY panel, from_on, steps, style IS NULL, style, contender)
    GROUP BY panel, kind
),
tried AS (
    SELECT panel, min(imbalance) AS least, max(imbalance) AS most FROM plotted GROUP BY panel
)
SELECT kind, sentence
FROM (
SELECT 1 AS place, panel, kind,
       printf('%s, busiest expert %g to %g times the mean: with its schedule made again in each step, gathering'
              || ' included, the best (%s) takes %.2fx%s the time of alltoallv, significantly less at %d of %d'
              || ' imbalances.',
              panel, least, most, replace(contenders, ',', ', '), lowest,
              iif(printf('%.2f', lowest) = printf('%.2f', highest), '', printf(' to %.2fx', highest)), pay_at_once,
              tried) AS sentence
FROM anew
UNION ALL
SELECT 2, k.panel, k.kind,
       printf('%s, busiest expert %g to %g times the mean, with a schedule that is kept: %s%s%s.', k.panel, t.least, t.most,
              coalesce(k.pay, 'none is shown to pay'),
              coalesce('; inconclusive: ' || k.open, ''),
              coalesce('; longer than alltoallv at all of them: ' || k.slower, ''))
FROM kept AS k
JOIN tried AS t ON t.panel = k.panel
)
ORDER BY panel, place;
