-- title: Exchange on machines of today, simulated: communication time over that of ac, 16 messages a rank of 1 to 32 items
-- sweep: scale-fat-tree
-- rows: workload = 'exchange' AND placement IS NULL AND pattern = 'uniform' AND degree = 16
-- rows: AND contender = schedule AND kind = 'simulated' AND environment NOT IN
-- rows: (SELECT id FROM environment WHERE json_extract(described, '$.cluster.platform') LIKE 'cm5%')
-- environments: all
-- panel: panel
-- series: schedule
-- style: style
-- data: ratio ms platform
-- says: scale
-- size: 1200x760
--
-- A panel for each platform and item size; the CM-5, of 1991, is in exchange-table5. The times are the simulator's, of one
-- pattern each: the mean over the patterns that all algorithms of a panel and number of ranks have. Below 1 a schedule
-- beats posting everything at once.
WITH named AS (
    SELECT s.*,
           replace((SELECT json_extract(described, '$.cluster.platform') FROM environment
                    WHERE id = s.environment), '.xml', '') AS file
    FROM chosen AS s
),
latest AS (
    SELECT *
    FROM (SELECT *,
                 row_number() OVER (PARTITION BY point, rtrim(file, '0123456789')
                                    ORDER BY started DESC) AS newest
          FROM named)
    WHERE newest = 1
),
means AS (
    SELECT rtrim(rtrim(p.file, '0123456789'), '-') AS platform, p.item_bytes, p.ranks, p.schedule,
           avg(p.communication_s / b.communication_s) AS ratio,
           1000 * avg(p.communication_s) AS ms,
           count(*) AS patterns
    FROM latest AS p
    JOIN latest AS b ON b.schedule = 'ac' AND b.instance = p.instance AND b.ranks = p.ranks
        AND b.environment = p.environment
    GROUP BY platform, p.item_bytes, p.ranks, p.schedule
)
SELECT printf('%s, items of %s', m.platform,
              CASE WHEN m.item_bytes >= 1024 THEN printf('%d KiB', m.item_bytes / 1024)
                   ELSE printf('%d B', m.item_bytes) END) AS panel,
       m.ranks,
       m.schedule,
       printf('%.4g', m.ms) AS communication_ms,
       printf('%.3f', m.ratio) AS over_ac,
       m.patterns,
       m.ratio,
       m.ms,
       m.platform,
       a.place AS style
FROM means AS m
LEFT JOIN schedules AS a ON a.name = m.schedule
ORDER BY m.platform DESC, m.item_bytes, a.place, m.schedule, m.ranks;
