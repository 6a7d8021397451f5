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

-- says
-- Ranka, Wang and Kumar on current machines, each platform alone, over all its numbers of ranks and item sizes.
-- The first statement is that a schedule beats posting everything at once (ac). It holds if the best schedule does so
-- everywhere, in part if it does somewhere. The second is that lp, which goes to all ranks, is the slowest schedule.
-- It holds if it is the slowest everywhere, in part if at half of the points or more.
WITH phased AS (
    SELECT platform, panel, ranks, min(ratio) AS best, max(ratio) AS worst,
           max(CASE schedule WHEN 'lp' THEN ratio END) AS lp,
           max(CASE WHEN schedule <> 'lp' THEN ratio END) AS others,
           min(patterns) AS patterns
    FROM plotted
    WHERE schedule NOT IN ('ac', 'alltoallv', 'neighbor')
    GROUP BY platform, panel, ranks
),
-- The best schedule at each place, in the words of the sentence.
winners AS (
    SELECT DISTINCT s.platform, p.schedule
    FROM phased AS s
    JOIN plotted AS p ON p.panel = s.panel AND p.ranks = s.ranks AND p.ratio = s.best
        AND p.schedule NOT IN ('ac', 'alltoallv', 'neighbor')
)
SELECT 'simulated' AS kind, 'A schedule is faster than posting everything at once (ac)' AS claim,
       CASE WHEN max(best) < 1 THEN 'yes' WHEN min(best) < 1 THEN 'partly' ELSE 'no' END AS holds,
       printf('%s, %s ranks: the best schedule (%s) takes %.2fx to %.2fx the time of ac; faster at %d '
              || 'of %d ranks and sizes; %d pattern%s each.', coalesce(platform, 'unknown'),
              CASE WHEN min(ranks) = max(ranks) THEN printf('%d', max(ranks))
                   ELSE printf('%d to %d', min(ranks), max(ranks)) END,
              (SELECT group_concat(schedule, ', ') FROM winners AS w WHERE w.platform IS s.platform),
              min(best), max(best), total(best < 1), count(*), min(patterns),
              iif(min(patterns) = 1, '', 's')) AS sentence
FROM phased AS s
GROUP BY platform
UNION ALL
SELECT 'simulated', 'lp, which goes to all ranks, is the slowest schedule',
       CASE WHEN total(lp > others) = count(*) THEN 'yes'
            WHEN total(lp > others) >= 0.5 * count(*) THEN 'partly' ELSE 'no' END,
       printf('%s: lp takes %.2fx to %.2fx the time of the slowest of the others; so at %d of %d ranks '
              || 'and sizes.', coalesce(platform, 'unknown'), min(lp / others), max(lp / others),
              total(lp > others), count(*))
FROM phased
WHERE lp IS NOT NULL AND others IS NOT NULL
GROUP BY platform;
