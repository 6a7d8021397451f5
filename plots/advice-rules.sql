-- title: Rules that choose a schedule, replayed on the same rounds
-- rows: workload = 'exchange' AND kind = 'measured' AND placement IS NULL AND schedule IS NOT NULL AND communication_s IS NOT NULL
-- apart: ranks mesh graph partition pattern com degree overlap
-- table: rules_entered rules_judged
-- cells: worse not_best changed regret
-- heads: worse slower than the reference, not_best not among the fastest, changed changed its mind
-- data: worse_picks not_best_picks changes change_chances regret_median regret_p95
--
-- Races of at least four launches. Three rules pick a contender:
--   ours      nuce advise, by all launches but one: the simplest of the fastest that is significantly faster than the
--             reference, else the reference
--   adcl      Gabriel et al., ADCL: in one launch, a block of up to 30 rounds for each contender, one after the other;
--             the least mean of its times without outliers (above the upper quartile by 1.5 quartile distances)
--   one call  in one launch, the least time of the first round
-- slower and not among the fastest are significant by all launches. changed its mind: ours by the odd and by the even
-- launches, the others by one launch and the next. block is the length of adcl's blocks where rounds were most. regret
-- is the ratio, less 1, of the pick's time to that of the contender with the least mean over all launches, median and
-- 95th percentile: ours in the launch that was left out, the others over the launches that were not used.
WITH ours AS (
    SELECT race, fold, iif(side = -1 AND is_slower = 0, point, reference) AS point
    FROM (SELECT j.*, row_number() OVER (PARTITION BY j.race, j.fold
                                         ORDER BY j.side = -1 AND j.is_slower = 0 DESC, t.turn) AS nth
          FROM rules_judged AS j
          JOIN (SELECT DISTINCT race, point, turn FROM rules_entered) AS t ON t.race = j.race AND t.point = j.point)
    WHERE nth = 1
),
rounds AS (
    SELECT e.race, e.launch, e.point, e.turn, t.key AS round,
           min(30, count(*) OVER (PARTITION BY e.run) / e.contenders) AS block,
           json_extract(t.value, '$[' || sample_part(r.criterion) || ']') AS s
    FROM rules_entered AS e
    JOIN run AS r ON r.id = e.run
    JOIN sampled AS m ON m.run = e.run
    JOIN json_each(m.times) AS t
    WHERE e.role <> 'duplicate'
),
sorted AS (
    SELECT *, row_number() OVER (PARTITION BY race, launch, point ORDER BY s) AS nth,
           count(*) OVER (PARTITION BY race, launch, point) AS n
    FROM rounds
    WHERE round >= (turn - 1) * block
      AND round < turn * block
      AND s > 0
),
quartiles AS (
    SELECT race, launch, point, max(iif(nth <= (n + 3) / 4, s, NULL)) AS low, max(iif(nth <= (3 * n + 3) / 4, s, NULL)) AS high
    FROM sorted
    GROUP BY race, launch, point
),
timed AS (
    SELECT 'adcl' AS rule, s.race, s.launch, s.point, avg(s.s) AS s
    FROM sorted AS s
    JOIN quartiles AS q ON q.race = s.race AND q.launch = s.launch AND q.point = s.point
    WHERE s.s <= q.high + 1.5 * (q.high - q.low)
    GROUP BY s.race, s.launch, s.point
    UNION ALL
    SELECT 'one call', race, launch, point, s FROM rounds WHERE round = 0 AND s > 0
),
picked AS (
    SELECT rule, race, launch, point
    FROM (SELECT *, row_number() OVER (PARTITION BY rule, race, launch ORDER BY s, point) AS nth FROM timed)
    WHERE nth = 1
    UNION ALL
    SELECT 'ours', race, fold, point FROM ours WHERE fold > 0
),
-- The contender with the least mean over all launches.
least AS (
    SELECT race, point
    FROM (SELECT race, point, row_number() OVER (PARTITION BY race ORDER BY avg(l), point) AS nth
          FROM rules_entered WHERE role <> 'duplicate' GROUP BY race, point)
    WHERE nth = 1
),
regretted AS (
    SELECT p.rule, p.race, p.launch, p.point, exp(avg(a.l - b.l)) - 1 AS regret
    FROM picked AS p
    JOIN least AS m ON m.race = p.race
    JOIN rules_entered AS a ON a.race = p.race AND a.point = p.point AND a.role <> 'duplicate'
        AND (a.launch = p.launch) = (p.rule = 'ours')
    JOIN rules_entered AS b ON b.race = p.race AND b.point = m.point AND b.role <> 'duplicate' AND b.launch = a.launch
    GROUP BY p.rule, p.race, p.launch, p.point
),
ordered AS (
    SELECT *, row_number() OVER (PARTITION BY rule ORDER BY regret) AS nth, count(*) OVER (PARTITION BY rule) AS n
    FROM regretted
),
minds AS (
    SELECT rule, count(*) AS chances, sum(changed) AS changes
    FROM (SELECT a.rule, a.point <> b.point AS changed
          FROM picked AS a
          JOIN picked AS b ON b.rule = a.rule AND b.race = a.race AND b.launch = a.launch + 1
          WHERE a.rule <> 'ours'
          UNION ALL
          SELECT 'ours', a.point <> b.point FROM ours AS a JOIN ours AS b ON b.race = a.race WHERE a.fold = -1 AND b.fold = -2)
    GROUP BY rule
),
summed AS (
    SELECT o.rule, count(DISTINCT o.race) AS races, count(*) AS picks, total(j.side = 1) AS worse, total(j.is_slower = 1) AS not_best,
           max(iif(o.nth <= (o.n + 1) / 2, o.regret, NULL)) AS regret_median,
           max(iif(o.nth <= (19 * o.n + 19) / 20, o.regret, NULL)) AS regret_p95
    FROM ordered AS o
    LEFT JOIN rules_judged AS j ON j.race = o.race AND j.fold = 0 AND j.point = o.point
    GROUP BY o.rule
)
SELECT s.rule,
       s.races,
       s.picks,
       iif(s.rule = 'adcl', (SELECT max(block) FROM rounds), NULL) AS block,
       printf('%d (%.3g %%)', s.worse, 100.0 * s.worse / s.picks) AS worse,
       printf('%d (%.3g %%)', s.not_best, 100.0 * s.not_best / s.picks) AS not_best,
       printf('%d of %d', m.changes, m.chances) AS changed,
       printf('%.1f %%, p95 %.1f %%', 100 * s.regret_median, 100 * s.regret_p95) AS regret,
       CAST(s.worse AS INTEGER) AS worse_picks,
       CAST(s.not_best AS INTEGER) AS not_best_picks,
       m.changes,
       m.chances AS change_chances,
       s.regret_median,
       s.regret_p95
FROM summed AS s
LEFT JOIN minds AS m ON m.rule = s.rule
ORDER BY s.rule <> 'ours', s.rule
