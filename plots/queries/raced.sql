-- table: panel_times panel_rows panels race_pairs races verdicts
-- panel: panel
-- heading: heading panel at
-- series: contender
-- style: style
-- cells: heading named fastest interval time ratio_to_bound predicted from_start schedule_cost
-- heads: named contender, fastest *, interval ratio [95 %]
-- wide: predicted from_start schedule_cost phases launches
-- data: contender size instances environment kind x ms predicted_ms low_ms high_ms messages bytes
-- data: longest_bytes item_bytes lower_bound_ms schedule_ms n ratio ratio_low ratio_high is_reference is_best
-- data: noise noise_low noise_high
-- aside: is_noise
-- size: 900x500
--
-- Contenders of races, a row each, by panel (tables/panels.sql); the 24 newest panels, of which a figure has twelve.
WITH recent AS (
    SELECT panel, row_number() OVER (ORDER BY max(started) DESC, panel) AS place
    FROM panels
    GROUP BY panel
),
-- The algorithms that each instance has, as one text.
measured AS (
    SELECT panel, size, instance, count(*) AS contenders,
           group_concat(contender, ' ') AS names
    FROM (SELECT panel, size, instance, contender FROM panels ORDER BY contender)
    GROUP BY panel, size, instance
),
widest AS (
    SELECT panel, size, names,
           row_number() OVER (PARTITION BY panel, size
                              ORDER BY contenders DESC, instance) AS place
    FROM measured
),
means AS (
    SELECT d.panel, d.size, d.at, d.size_of, d.contender, d.kind, d.x, d.environment,
           count(DISTINCT d.instance) AS instances,
           nullif(min(d.n), 0) AS n,
           max(d.few) AS few,
           coalesce(max(d.is_empty), 0) AS is_empty,
           1000 * avg(d.weight * d.s) AS ms,
           CASE WHEN count(*) = 1 THEN 1000 * min(d.low_s) END AS low_ms,
           CASE WHEN count(*) = 1 THEN 1000 * min(d.high_s) END AS high_ms,
           max(d.ranks) AS ranks,
           avg(d.weight * d.messages) AS messages, avg(d.weight * d.bytes) AS bytes, max(d.longest_bytes) AS longest_bytes,
           1000 * avg(d.weight * d.lower_bound_s) AS lower_bound_ms,
           1000 * avg(d.weight * d.predicted_s) AS predicted_ms,
           avg(d.weight * d.from_start_s) AS from_start_s,
           1000 * avg(d.schedule_s) AS schedule_ms,
           max(d.phases) AS phases,
           max(d.unit) AS unit, max(d.is_rate) AS is_rate
    FROM widest AS w
    JOIN measured AS m ON m.panel = w.panel AND m.size = w.size AND m.names = w.names
    JOIN panels AS d ON d.panel = m.panel AND d.size = m.size AND d.instance = m.instance
    WHERE w.place = 1
    GROUP BY d.panel, d.size, d.contender
),
entered AS (
    SELECT m.*,
           -- Decompositions race with different messages.
           min(m.bytes) OVER same = max(m.bytes) OVER same
               AND min(m.messages) OVER same = max(m.messages) OVER same AS alike,
           r.role, coalesce(r.launches, max(r.launches) OVER same) AS launches, r.ratio, r.low AS ratio_low, r.high AS ratio_high, r.is_best,
           t.ratio AS noise, t.low AS noise_low, t.high AS noise_high, a.place AS style,
           m.contender || coalesce(' (' || a.label || ')', '') AS named
    FROM means AS m
    LEFT JOIN races AS r ON r.panel = m.panel AND r.size = m.size AND r.contender = m.contender
        AND r.role <> 'duplicate'
    LEFT JOIN races AS t ON t.panel = m.panel AND t.size = m.size AND t.role = 'duplicate'
    LEFT JOIN contenders AS a ON a.name = m.contender
    WINDOW same AS (PARTITION BY m.panel, m.size)
),
-- The noise has the panel and the size of its reference, its ratio, and nothing else.
shown AS (
    SELECT panel, size, at, size_of, contender, named, kind, x, environment, instances, n, few, is_empty, ms, low_ms, high_ms,
           ranks, messages, bytes, longest_bytes, lower_bound_ms, predicted_ms, from_start_s, schedule_ms, phases, unit, is_rate, alike, role,
           launches, ratio, ratio_low, ratio_high, is_best, noise, noise_low, noise_high, style, 0 AS is_noise
    FROM entered
    UNION ALL
    SELECT panel, size, at, size_of, 'noise', 'noise (' || contender || ' vs ' || contender || ')', kind, x, environment,
           instances, NULL, 0, 0, NULL, NULL, NULL, ranks, messages, bytes, longest_bytes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, alike,
           'duplicate', NULL, noise, noise_low, noise_high, NULL, noise, noise_low, noise_high, NULL, 1
    FROM entered
    WHERE role = 'reference' AND noise IS NOT NULL
)
SELECT m.panel,
       -- The messages first; of an exchange its item-bytes behind them, which say nothing of their size.
       m.panel || iif(m.size_of = 'item-bytes ', '', coalesce(', ' || m.size_of || nullif(m.at, ''), ''))
           || CASE WHEN m.bytes IS NULL OR NOT m.alike THEN ''
                   WHEN m.messages = 0 THEN ': no message between ranks'
                   WHEN m.messages = 1 THEN ': 1 message of ' || told_bytes(m.bytes)
                   ELSE printf(': %.4g messages, mean %s%s, total %s', m.messages,
                               told_bytes(m.bytes / m.messages),
                               coalesce(', longest ' || told_bytes(m.longest_bytes), ''),
                               told_bytes(m.bytes)) END
           || iif(m.size_of = 'item-bytes ', ', item-bytes ' || m.at, '')
           || iif(m.instances > 1, printf(' (mean of %d instances)', m.instances), '') AS heading,
       m.size,
       m.at,
       m.instances,
       substr(m.environment, 1, 8) AS environment,
       m.contender,
       m.named,
       iif(m.is_best, '*', NULL) AS fastest,
       CASE WHEN m.role = 'reference' THEN '1 (reference)'
            ELSE told_ratio(m.ratio, m.ratio_low, m.ratio_high) END AS interval,
       coalesce(printf('%.4g', iif(m.is_rate, 1000 / m.ms, m.ms / 1000)) || ' ' || m.unit, told_time(m.ms / 1000))
           || CASE WHEN m.ratio IS NULL AND m.kind = 'measured'
                   THEN coalesce(' [' || told_time(m.low_ms / 1000) || ', ' || told_time(m.high_ms / 1000) || ']', '')
                   ELSE '' END
           || CASE WHEN m.few THEN printf(' (n = %d)', m.n) ELSE '' END AS time,
       iif(m.lower_bound_ms > 0, printf('%.3g', m.ms / m.lower_bound_ms), NULL) AS ratio_to_bound,
       told_time(iif(m.kind = 'modelled', NULL, m.predicted_ms) / 1000) AS predicted,
       CASE WHEN m.predicted_ms IS NOT NULL THEN told_time(m.from_start_s) END AS from_start,
       told_time(m.schedule_ms / 1000) AS schedule_cost,
       m.phases,
       m.kind,
       m.x,
       iif(m.kind = 'modelled' OR m.is_empty, NULL, m.ms) AS ms,
       m.predicted_ms,
       iif(m.is_empty, NULL, m.low_ms) AS low_ms,
       iif(m.is_empty, NULL, m.high_ms) AS high_ms,
       m.messages,
       m.bytes,
       m.longest_bytes,
       iif(m.size_of = 'item-bytes ', m.x, NULL) AS item_bytes,
       m.lower_bound_ms,
       m.schedule_ms,
       m.n,
       m.launches,
       m.ratio,
       m.ratio_low,
       m.ratio_high,
       m.role = 'reference' AS is_reference,
       m.is_best,
       m.noise,
       m.noise_low,
       m.noise_high,
       m.is_noise,
       m.style
FROM shown AS m
JOIN recent AS r ON r.panel = m.panel
WHERE r.place <= 24
ORDER BY r.place > 12, m.ranks, m.panel COLLATE by_number, m.x, m.size, m.is_noise, m.ratio IS NULL, m.ratio, m.ms, m.predicted_ms,
         m.style IS NULL, m.style, m.contender;

-- says
-- The fastest contender in each panel (tables/verdicts.sql).
SELECT kind, NULL AS claim, NULL AS holds, sentence
FROM verdicts
ORDER BY panel COLLATE by_number, x;
