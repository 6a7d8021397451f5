-- sweep: regimes
-- table: arrays_raced regimes
-- environments: all
-- panel: panel
-- series: named
-- style: style
-- cells: named
-- heads: named fastest
-- data: fastest x y cell gain
-- script: regimes
-- size: 1200x1050
--
-- A panel for each network: of a NETWORK FILE by the model, of a machine that was simulated or measured by that. None is
-- named (grey) where no schedule is more than 2 % faster than posting all at once; of a measured race, where the whole
-- interval of its ratio is not, or the noise reaches as far (tables/regimes.sql). no_difference_from: how many others
-- have no significant difference from the one that is named. A message has 64 tokens in the mean, rows are ranks and what
-- the busiest expert gets over the mean. cell: the speed-up over posting all at once (ac).
WITH first AS (
    SELECT *, row_number() OVER (PARTITION BY kind, name, ranks, imbalance, item_bytes
                                 ORDER BY coalesce(is_told, 0) DESC, gain DESC, schedule <> 'ac', contender) AS place,
           count(*) FILTER (WHERE is_best) OVER (PARTITION BY kind, name, ranks, imbalance, item_bytes) AS best,
           count(*) FILTER (WHERE is_best IS NULL) OVER (PARTITION BY kind, name, ranks, imbalance, item_bytes) AS unknown
    FROM regimes
),
shown AS (
    SELECT kind, name, ranks, imbalance, item_bytes, gain, over_library, schedule, contender, best - is_best AS alike, unknown, machine,
           coalesce(gain > 1.02 AND is_told, 0) AS is_won
    FROM first
    WHERE place = 1
),
placed AS (
    SELECT *,
           dense_rank() OVER (ORDER BY item_bytes) AS x,
           dense_rank() OVER (ORDER BY ranks, imbalance) AS y
    FROM shown
)
SELECT printf('%s (%s)', p.machine, replace(p.kind, 'modelled', 'model')) AS panel,
       iif(is_won, p.contender, 'none') AS fastest,
       iif(is_won, p.contender || coalesce(' (' || a.label || ')', ''), 'none (within 2 % of ac)') AS named,
       printf('%d, %gx', p.ranks, p.imbalance) AS ranks_imbalance,
       CASE WHEN p.item_bytes >= 16384 THEN printf('%g MiB', p.item_bytes / 16384.0)
            WHEN p.item_bytes >= 16 THEN printf('%g KiB', p.item_bytes / 16.0)
            ELSE printf('%d B', p.item_bytes * 64) END AS message,
       printf('%.3g', p.gain) AS over_ac,
       iif(p.over_library IS NULL, '', printf('%.3g', p.over_library)) AS over_alltoallv,
       CASE WHEN NOT is_won THEN ''
            WHEN p.unknown > 0 OR p.alike IS NULL THEN 'inconclusive'
            WHEN p.alike > 0 THEN printf('%d other%s', p.alike, iif(p.alike = 1, '', 's'))
            ELSE '' END AS no_difference_from,
       p.x,
       p.y,
       CASE WHEN NOT is_won THEN ''
            ELSE printf(CASE WHEN p.gain < 1.1 THEN '%.2f' WHEN p.gain < 9.95 THEN '%.1f' ELSE '%.0f' END, p.gain) END AS cell,
       p.gain,
       iif(is_won, dense_rank() OVER (PARTITION BY is_won ORDER BY a.place, p.contender), 12) AS style
FROM placed AS p
LEFT JOIN schedules AS a ON a.name = p.schedule
ORDER BY p.kind = 'modelled', p.kind, p.machine, is_won, a.place, p.contender, p.ranks, p.imbalance, p.item_bytes;
