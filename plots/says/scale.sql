-- Ranka, Wang and Kumar on current machines, each platform alone, over all its numbers of ranks and units.
-- The first statement is that a schedule beats posting everything at once (ac). It holds if the best of
-- them does everywhere, in part if it does somewhere. The second is that lp, which goes to all ranks, is
-- the slowest schedule. It holds if it is everywhere, in part if it is at half at least.
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
