-- title: Mixture of experts: how many times as long as alltoallv, over the imbalance of its experts, without and with the cost of scheduling in each step
-- sweep: moe-imbalance
-- rows: workload = 'exchange' AND contender IS NOT NULL AND placement IS NULL AND pattern = 'moe'
-- rows: AND params ->> '$.steps' IS NULL
-- rows: AND communication_s IS NOT NULL AND kind <> 'modelled'
-- apart: workload ranks pattern network
-- table: panels races
-- heading: heading panel
-- panel: panel
-- series: contender
-- style: style
-- cells: as_long with_schedule schedule_cost pays_after
-- data: kind ranks ratio low high scheduled scheduled_low scheduled_high pays_after_steps base_s schedule_s launches
-- says: moe_imbalance
-- size: 1200x640
--
-- imbalance is the busiest expert's load over the mean. as_long is the ratio to alltoallv with its 95 %
-- interval over launches (tables/races.sql), with_schedule that plus what the schedule costs once over
-- alltoallv's time: a step in which it is computed anew, as tokens go elsewhere. pays_after is in how many
-- steps with one schedule that cost has come in again; it is told only of what is shown to take less than
-- alltoallv. What was raced against another reference is not shown; of what is simulated the times
-- themselves are compared, and computing a schedule takes no time there. There is no model of alltoallv. That all ranks know who sends how much to whom is
-- no part of the cost (gather_s): half of these schedules, and alltoallv, need only their own row.
WITH moe AS (
    SELECT p.panel AS race, p.size, p.contender, p.kind, p.ranks, p.s,
           -- Computing takes no simulated time.
           iif(p.kind = 'measured', coalesce(p.schedule_s, 0), NULL) AS schedule_s,
           p.instance ->> '$.imbalance' AS imbalance,
           'exchange moe, ' || (p.instance ->> '$.tokens') || ' tokens a rank, '
               || coalesce(p.size_of || p.at || ', ', '') || p.ranks || iif(p.ranks = 1, ' rank', ' ranks')
               || iif(p.kind = 'measured', '', ', ' || p.kind)
               || coalesce(', network ' || (p.instance ->> '$.network'), '') AS panel
    FROM panels AS p
    WHERE p.is_empty IS NOT 1
      AND p.too_short IS NOT 1
      AND p.instance ->> '$.imbalance' IS NOT NULL
      AND p.s > 0
),
based AS (
    SELECT m.panel, m.contender, m.kind, m.ranks, m.imbalance, m.schedule_s, b.s AS base_s, r.launches,
           iif(m.kind = 'measured', r.ratio, m.s / b.s) AS ratio,
           r.low, r.high, iif(m.kind = 'measured', r.side, race_side(ln(m.s / b.s), 0, ln(1.005))) AS side
    FROM moe AS m
    JOIN moe AS b ON b.race = m.race AND b.size = m.size AND b.imbalance = m.imbalance AND b.contender = 'alltoallv'
    LEFT JOIN races AS r ON r.panel = m.race AND r.size = m.size AND r.contender = m.contender
        AND r.role <> 'twin' AND r.reference = 'alltoallv' AND m.kind = 'measured'
    WHERE m.kind <> 'measured' OR r.ratio IS NOT NULL
),
rated AS (
    SELECT b.*, b.schedule_s / b.base_s AS cost,
           CASE WHEN b.side = -1 AND b.contender <> 'alltoallv'
                THEN b.schedule_s / (b.base_s * (1 - b.ratio)) END AS pays_after_steps,
           a.place
    FROM based AS b
    LEFT JOIN contenders AS a ON a.name = b.contender
),
told AS (
    SELECT panel, panel AS heading, contender, imbalance, kind, ranks, launches, ratio, low, high, base_s, schedule_s,
           ratio + cost AS scheduled, low + cost AS scheduled_low, high + cost AS scheduled_high,
           pays_after_steps, place AS style
    FROM rated
)
SELECT heading, panel, contender, imbalance,
       CASE WHEN contender = 'alltoallv' THEN '1'
            WHEN low IS NULL THEN printf('%.2f', ratio)
            ELSE printf('%.2f [%.2f %.2f]', ratio, low, high) END AS as_long,
       iif(scheduled IS NULL, NULL, printf('%.2f', scheduled)) AS with_schedule,
       told_time(schedule_s) AS schedule_cost,
       CASE WHEN pays_after_steps IS NULL THEN NULL
            WHEN pays_after_steps <= 1 THEN 'at once'
            ELSE printf('%d steps', CAST(ceil(pays_after_steps) AS INTEGER)) END AS pays_after,
       kind, ranks, ratio, low, high, scheduled, scheduled_low, scheduled_high, pays_after_steps, base_s,
       schedule_s, launches, style
FROM told
ORDER BY panel, style IS NULL, style, contender, imbalance;
