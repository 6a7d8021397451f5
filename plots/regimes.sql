-- title: Which schedule is the fastest, and how many times as fast as posting all at once / as the library's alltoallv
-- sweep: regimes
-- rows: workload = 'exchange' AND placement IS NULL AND pattern = 'moe'
-- rows: AND (contender = schedule OR schedule = 'two-level')
-- rows: AND json_extract(params, '$.steps') IS NULL
-- rows: AND json_extract(params, '$.tokens') = 32 * ranks AND json_extract(params, '$."top-k"') = 2
-- rows: AND CASE kind WHEN 'modelled' THEN network LIKE '%.network@%' WHEN 'measured' THEN network IS NULL ELSE 1 END
-- table: arrays_raced regimes
-- environments: all
-- panel: panel
-- series: fastest
-- style: style
-- data: x y cell gain
-- script: regimes
-- size: 1200x1050
--
-- A panel for each network: a NETWORK FILE by the model, or a simulated or measured machine. Grey: no schedule is more
-- than 2 % faster than posting all at once. In a measured race the whole interval of its ratio must be, and the noise
-- must not reach as far (tables/regimes.sql). not_told_from is the number of others without a significant difference
-- from the named one. A message has 64 tokens in the mean; rows are ranks, and the busiest expert's load over the mean.
WITH first AS (
    SELECT *, row_number() OVER (PARTITION BY kind, name, ranks, imbalance, item_bytes
                                 ORDER BY coalesce(is_told, 0) DESC, gain DESC, schedule <> 'ac', contender) AS place,
           count(*) FILTER (WHERE is_best) OVER (PARTITION BY kind, name, ranks, imbalance, item_bytes) AS best,
           count(*) FILTER (WHERE is_best IS NULL) OVER (PARTITION BY kind, name, ranks, imbalance, item_bytes) AS unknown
    FROM regimes
),
shown AS (
    SELECT kind, name, ranks, imbalance, item_bytes, gain, over_library, schedule, contender, best - is_best AS alike, unknown,
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
SELECT printf('%s: %s', p.name, replace(p.kind, 'modelled', 'model')) AS panel,
       iif(is_won, p.contender, 'none by more than 2 %') AS fastest,
       printf('%d x%g', p.ranks, p.imbalance) AS ranks_imbalance,
       CASE WHEN p.item_bytes >= 16384 THEN printf('%g MiB', p.item_bytes / 16384.0)
            WHEN p.item_bytes >= 16 THEN printf('%g KiB', p.item_bytes / 16.0)
            ELSE printf('%d B', p.item_bytes * 64) END AS message,
       printf('%.3g', p.gain) AS over_all_at_once,
       iif(p.over_library IS NULL, '', printf('%.3g', p.over_library)) AS over_alltoallv,
       CASE WHEN NOT is_won THEN ''
            WHEN p.unknown > 0 OR p.alike IS NULL THEN 'unknown'
            WHEN p.alike > 0 THEN printf('%d other%s', p.alike, iif(p.alike = 1, '', 's'))
            ELSE '' END AS not_told_from,
       p.x,
       p.y,
       iif(is_won, printf(iif(p.gain < 1.1, '%.3g', '%.2g'), p.gain)
           || iif(p.over_library IS NULL, '', printf(' / %.2g', p.over_library)), '') AS cell,
       p.gain,
       iif(is_won, dense_rank() OVER (PARTITION BY is_won ORDER BY a.place, p.contender), 12) AS style
FROM placed AS p
LEFT JOIN schedules AS a ON a.name = p.schedule
ORDER BY p.kind = 'modelled', p.kind, p.name, is_won, a.place, p.contender, p.ranks, p.imbalance, p.item_bytes;
