-- The fastest contenders: a row for each panel and size of `panels` with several contenders, from `races`. best
-- lists the fastest ones, without a significant difference, NULL if unknown. next is the first other contender,
-- with its ratio to one of those and its 95 % interval over launches. ac, alltoallv and direct are their ratios to
-- the one with the least time. noise is the reference against itself.
WITH shown AS (
    SELECT panel, size, min(at) AS at, min(x) AS x, max(kind) AS kind, max(ranks) AS ranks,
           count(DISTINCT instance) AS instances, substr(max(environment), 1, 8) AS environment
    FROM panels
    GROUP BY panel, size
    HAVING count(DISTINCT contender) > 1
),
ordered AS (
    SELECT r.*, coalesce(ratio_to_fastest, 1) AS times,
           row_number() OVER (PARTITION BY panel, size, is_best
                              ORDER BY coalesce(ratio_to_fastest, 1), contender) AS nth
    FROM races AS r
    WHERE role <> 'duplicate'
),
sets AS (
    SELECT panel, size, max(launches) AS launches,
           group_concat(contender, ', ') FILTER (WHERE is_best) AS best,
           max(contender) FILTER (WHERE is_best = 0 AND nth = 1) AS next,
           max(slower) FILTER (WHERE is_best = 0 AND nth = 1) AS ratio,
           max(slower_low) FILTER (WHERE is_best = 0 AND nth = 1) AS ratio_low,
           max(slower_high) FILTER (WHERE is_best = 0 AND nth = 1) AS ratio_high,
           max(times) FILTER (WHERE contender = 'ac') AS ac_ratio,
           max(times) FILTER (WHERE contender = 'alltoallv') AS alltoallv_ratio,
           max(times) FILTER (WHERE contender = 'direct') AS direct_ratio
    FROM (SELECT * FROM ordered ORDER BY panel, size, times, contender)
    GROUP BY panel, size
)
SELECT s.kind, s.panel, s.ranks, s.size, s.at, s.x, s.instances, s.environment, r.best, r.next,
       round(r.ratio, 3) AS ratio, round(r.ratio_low, 3) AS ratio_low,
       round(r.ratio_high, 3) AS ratio_high, round(r.ac_ratio, 3) AS ac_ratio,
       round(r.alltoallv_ratio, 3) AS alltoallv_ratio, round(r.direct_ratio, 3) AS direct_ratio,
       r.launches, round(t.ratio, 3) AS noise, round(t.low, 3) AS noise_low,
       round(t.high, 3) AS noise_high
FROM shown AS s
LEFT JOIN sets AS r ON r.panel = s.panel AND r.size = s.size
LEFT JOIN races AS t ON t.panel = s.panel AND t.size = s.size AND t.role = 'duplicate';
