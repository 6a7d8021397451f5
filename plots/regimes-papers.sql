-- title: The papers' gain today: speed-up of the fastest of their schedules over sends that block
-- sweep: regimes
-- rows: workload = 'exchange' AND placement IS NULL AND pattern = 'moe'
-- rows: AND (schedule IN ('ac', 'ac-blocking', 'alltoallv') OR schedule LIKE 'lp%' OR schedule LIKE 'rs-n%')
-- rows: AND contender = schedule AND json_extract(params, '$.steps') IS NULL
-- rows: AND json_extract(params, '$.tokens') = 32 * ranks AND json_extract(params, '$."top-k"') = 2
-- rows: AND CASE kind WHEN 'modelled' THEN network LIKE '%.network@%' WHEN 'measured' THEN network IS NULL ELSE 1 END
-- table: arrays_raced regimes
-- environments: all
-- panel: panel
-- series: gains
-- style: style
-- data: x y cell over_blocking over_all
-- script: regimes
-- size: 1200x1050
--
-- The map of `regimes` for the comparison of Ranka, Wang and Kumar. It compares the fastest of lp, rs-n and their
-- variants with ac-blocking, which was posting all at once on a CM-5, and with ac, which does not wait. gains names the
-- ones over which it gains more than 2 %; measured gains must be significant in the race (tables/regimes.sql).
WITH best AS (
    SELECT *, row_number() OVER (PARTITION BY kind, name, ranks, imbalance, item_bytes ORDER BY gain DESC, contender) AS place
    FROM regimes
    WHERE (schedule LIKE 'lp%' OR schedule LIKE 'rs-n%')
      AND over_blocking IS NOT NULL
),
placed AS (
    SELECT *,
           printf(iif(over_blocking >= 9.95, '%.0f', '%.1f'), over_blocking) AS cell,
           CASE WHEN gain > 1.02 AND is_told THEN 2 WHEN over_blocking > 1.02 AND is_told_blocking THEN 1 ELSE 0 END AS won,
           dense_rank() OVER (ORDER BY item_bytes) AS x,
           dense_rank() OVER (ORDER BY ranks, imbalance) AS y
    FROM best
    WHERE place = 1
)
SELECT printf('%s (%s)', machine, replace(kind, 'modelled', 'model')) AS panel,
       CASE won WHEN 2 THEN 'faster than both'
                WHEN 1 THEN 'faster than blocking sends alone'
                ELSE 'faster than neither, by 2 %' END AS gains,
       printf('%d, %gx', ranks, imbalance) AS ranks_imbalance,
       CASE WHEN item_bytes >= 16384 THEN printf('%g MiB', item_bytes / 16384.0)
            WHEN item_bytes >= 16 THEN printf('%g KiB', item_bytes / 16.0)
            ELSE printf('%d B', item_bytes * 64) END AS message,
       contender AS fastest,
       printf('%.3g', over_blocking) AS over_ac_blocking,
       printf('%.3g', gain) AS over_ac,
       x,
       y,
       cell,
       over_blocking,
       gain AS over_all,
       CASE won WHEN 2 THEN 4 WHEN 1 THEN 1 ELSE 12 END AS style
FROM placed
ORDER BY kind = 'modelled', kind, machine, won, ranks, imbalance, item_bytes;
