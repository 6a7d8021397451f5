-- title: Mixture of experts: ratio to alltoallv over the imbalance, without and with the cost of the schedule, and its break-even
-- sweep: moe-imbalance
-- rows: workload = 'exchange' AND contender IS NOT NULL AND placement IS NULL AND pattern = 'moe'
-- rows: AND json_extract(params, '$.steps') IS NULL
-- rows: AND communication_s IS NOT NULL AND kind <> 'modelled'
-- apart: workload ranks pattern network
-- table: panels race_pairs race_ratios
-- heading: heading panel
-- panel: panel
-- series: contender
-- style: style
-- cells: interval with_cost schedule_cost gather_cost pays_after
-- heads: interval ratio [95 %]
-- data: kind ranks ratio low high side costing costing_low costing_high pays_after_steps pays_after_low pays_after_high
-- data: base_s schedule_s gather_s launches
-- says: moe_imbalance
-- size: 1200x800
--
-- imbalance is the busiest expert's load over the mean. as_long is the ratio to alltoallv with its 95 % interval over
-- launches (tables/race_ratios.sql). schedule_cost is the time of computing the schedule once. gather_cost is the time
-- until all ranks know all messages; it is 0 for alltoallv and for schedules that need only a rank's own row. with_cost
-- is ratio plus both over alltoallv's time: a step with a new schedule, as tokens go elsewhere. pays_after is the
-- break-even: the number of steps with one schedule that compensates for both costs, at the ends of that interval. It
-- is only given for schedules that are significantly faster than alltoallv. Contenders that never raced with alltoallv
-- as their reference are not shown. Simulated times are compared directly; computing takes no time there, so no cost is
-- known. There is no model of alltoallv.
WITH moe AS (
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
    LEFT JOIN race_ratios AS r ON r.panel = m.race AND r.size = m.size AND r.contender = m.contender
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
