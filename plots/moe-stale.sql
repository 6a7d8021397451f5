-- title: Mixture of experts that drifts: how many times as long as posting all at once, over the steps that a schedule is kept for
-- sweep: moe-stale
-- rows: workload = 'exchange' AND contender IS NOT NULL AND placement IS NULL AND pattern = 'moe'
-- rows: AND params ->> '$.steps' IS NOT NULL
-- rows: AND (communication_s IS NOT NULL OR (kind = 'modelled' AND predicted_s IS NOT NULL))
-- apart: workload ranks pattern network
-- table: panels race_pairs race_ratios
-- heading: heading panel
-- panel: panel
-- series: series
-- cells: as_long with_cost schedule_cost gather_cost behind may_cost
-- data: kind ranks ratio low high costing costing_low costing_high base_s schedule_s gather_s affordable_s
-- data: schedules rest_share launches
-- says: moe_stale
-- size: 1200x640
--
-- A sample is a sequence of patterns; kept_for is the steps that a schedule is kept for. as_long is the ratio to
-- posting all at once (ac, each step by itself) with its 95 % interval over launches (tables/race_ratios.sql).
-- schedule_cost is what all schedules and repairs of the sequence cost, gather_cost what it takes besides that all
-- ranks know the patterns that they are made for, by what it took for the first: each one that is repaired, else those
-- that a schedule is computed for, and none where ranks need their own row alone. with_cost is as_long plus both over
-- ac's time. behind is the part of all bytes that kept schedules had no room for. may_cost is what one schedule,
-- gathered, computed and repaired until the next, may cost at most for it to pay: what is won over ac, divided by the
-- schedules; none where nothing is won. Of what is simulated or modelled nobody knows what computing takes; what is
-- simulated has the messages of gathering.
WITH stale AS (
    SELECT p.panel AS race, p.size, p.contender, p.kind, p.ranks, p.s, p.instance, c.schedule,
           coalesce(c.params ->> '$.reuse', 1) AS kept_for,
           c.params ->> '$.upkeep' IS 'repair' AS is_repaired,
           iif(p.kind = 'measured', coalesce(p.schedule_s, 0), NULL) AS schedule_s,
           c.found ->> '$.schedules' AS schedules,
           iif(p.kind <> 'modelled',
               iif(c.schedule IN (SELECT name FROM whole_schedules), coalesce(c.gather_s, 0), 0)
                   * iif(c.params ->> '$.upkeep' IS 'repair', c.params ->> '$.steps', c.found ->> '$.schedules'),
               NULL) AS gather_s,
           (c.found ->> '$.rest_bytes') * 1.0 / (p.bytes * (c.params ->> '$.steps')) AS rest_share,
           printf('drift of %g %% of the %s, imbalance %g, %s%d ranks%s%s', 100 * (p.instance ->> '$.drift'),
                  coalesce(p.instance ->> '$."drift-of"', 'tokens'), p.instance ->> '$.imbalance',
                  coalesce(p.size_of || p.at || ', ', ''), p.ranks,
                  iif(p.kind = 'measured', '', ', ' || p.kind),
                  coalesce(', ' || substr(p.instance ->> '$.network', 1,
                                          instr((p.instance ->> '$.network') || '.network@', '.network@') - 1), ''))
               AS panel
    FROM panels AS p
    JOIN chosen AS c ON c.point = p.point AND c.kind = p.kind AND c.environment = p.environment AND c.wait = p.wait
    WHERE p.is_empty IS NOT 1
      AND p.too_short IS NOT 1
      AND p.s > 0
),
based AS (
    SELECT m.*, b.s AS base_s, r.launches, iif(m.kind = 'measured', r.ratio, m.s / b.s) AS ratio, r.low, r.high,
           iif(m.kind = 'measured', r.side, race_side(ln(m.s / b.s), 0, tie_of(m.kind))) AS side
    FROM stale AS m
    JOIN stale AS b ON b.race = m.race AND b.size = m.size AND b.instance = m.instance AND b.contender = 'ac'
    LEFT JOIN race_ratios AS r ON r.panel = m.race AND r.size = m.size AND r.contender = m.contender
        AND r.baseline = 'ac' AND r.is_to_reference AND m.kind = 'measured'
    WHERE m.kind <> 'measured' OR r.ratio IS NOT NULL
),
rated AS (
    SELECT b.*, (b.schedule_s + b.gather_s) / b.base_s AS cost,
           iif(b.side = -1 AND b.contender <> 'ac', b.base_s * (1 - b.ratio) / b.schedules, NULL) AS affordable_s,
           b.schedule || iif(b.is_repaired, ' repaired', '') AS series, a.place
    FROM based AS b
    LEFT JOIN schedules AS a ON a.name = b.schedule
),
told AS (
    SELECT panel, panel AS heading, contender, series, kept_for, kind, ranks, launches, ratio, low, high, base_s,
           schedule_s, gather_s, schedules, rest_share, affordable_s,
           ratio + cost AS costing, low + cost AS costing_low, high + cost AS costing_high, place
    FROM rated
)
SELECT heading, panel, series, kept_for,
       CASE WHEN contender = 'ac' THEN '1'
            WHEN low IS NULL THEN printf('%.2f', ratio)
            ELSE printf('%.2f [%.2f %.2f]', ratio, low, high) END AS as_long,
       iif(costing IS NULL, NULL, printf('%.2f', costing)) AS with_cost,
       told_time(schedule_s) AS schedule_cost, told_time(nullif(gather_s, 0)) AS gather_cost,
       iif(kept_for = 1, NULL, printf('%.1f %%', 100 * rest_share)) AS behind, told_time(affordable_s) AS may_cost,
       kind, ranks, ratio, low, high, costing, costing_low, costing_high, base_s, schedule_s, gather_s,
       affordable_s, schedules, rest_share, launches
FROM told
ORDER BY panel, place, series, kept_for;
