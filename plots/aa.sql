-- title: Identical contenders: share of 95 % intervals that miss 1, and distance of the ratios from 1
-- sweep: aa
-- rows: workload = 'exchange' AND kind = 'measured' AND contender IN ('lp', 'lp-xor')
-- apart: ranks
--
-- A row for each rank count and size, and one of all; patterns without a message are omitted. On 2^k ranks
-- lp-xor sends what lp sends. told_apart is the share of races in which the interval of lp-xor over lp misses 1,
-- which 5 % should. duplicate_covers is the share of races in which the duplicate's interval contains 1, which 95 %
-- should. Both have Wilson's 95 % interval of the share. said is the share of races that report one as slower: a
-- verdict requires more than an interval (docs/statistics.md). off is the median distance of the duplicate's ratio
-- from 1, reach half the median width of the intervals.
WITH races AS (
    SELECT c.ranks, c.item_bytes, r.race, min(r.launches) AS launches,
           max(iif(r.contender = 'duplicate', r.ratio_low <= 1 AND r.ratio_high >= 1, NULL)) AS covers,
           max(iif(r.contender = 'contender', r.ratio_low > 1 OR r.ratio_high < 1, NULL)) AS told,
           max(iif(r.contender = 'contender', r.verdict IN ('slower', 'faster'), NULL)) AS said,
           max(iif(r.contender = 'duplicate', abs(ln(r.ratio)), NULL)) AS off,
           max(iif(r.contender = 'contender', ln(r.ratio_high / r.ratio_low) / 2, NULL)) AS reach
    FROM chosen AS c
    JOIN ratio AS r ON r.point = c.point AND r.environment = c.environment AND r.kind = c.kind
        AND r.wait = c.wait
    WHERE r.contender <> 'reference'
      AND c.messages IS NOT 0
      AND r.launches > 1
      AND (c.ranks & (c.ranks - 1)) = 0
    GROUP BY c.ranks, c.item_bytes, r.race
    HAVING count(r.contender = 'duplicate' OR NULL) = 1 AND count(r.contender = 'contender' OR NULL) = 1
),
cells AS (
    SELECT ranks, item_bytes, launches, covers, told, said, off, reach FROM races
    UNION ALL
    SELECT NULL, NULL, launches, covers, told, said, off, reach FROM races
),
ordered AS (
    SELECT *, count(*) OVER cell AS races,
           row_number() OVER (PARTITION BY ranks, item_bytes ORDER BY off) AS off_place,
           row_number() OVER (PARTITION BY ranks, item_bytes ORDER BY reach) AS reach_place
    FROM cells
    WINDOW cell AS (PARTITION BY ranks, item_bytes)
),
summed AS (
    SELECT ranks, item_bytes, max(races) AS races, min(launches) AS launches, avg(covers) AS covers,
           avg(told) AS told, avg(said) AS said,
           avg(off) FILTER (WHERE off_place IN ((races + 1) / 2, (races + 2) / 2)) AS off,
           avg(reach) FILTER (WHERE reach_place IN ((races + 1) / 2, (races + 2) / 2)) AS reach
    FROM ordered
    GROUP BY ranks, item_bytes
),
-- Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
wilson AS (
    SELECT *, 3.8415 / races AS z2
    FROM summed
)
SELECT coalesce(ranks, 'all') AS ranks,
       item_bytes AS bytes,
       races,
       launches,
       printf('%.1f %% [%.1f, %.1f]', 100 * covers,
              100 * (covers + z2 / 2 - sqrt(z2 * (covers * (1 - covers) + z2 / 4))) / (1 + z2),
              100 * (covers + z2 / 2 + sqrt(z2 * (covers * (1 - covers) + z2 / 4))) / (1 + z2)) AS duplicate_covers,
       printf('%.1f %% [%.1f, %.1f]', 100 * told,
              100 * (told + z2 / 2 - sqrt(z2 * (told * (1 - told) + z2 / 4))) / (1 + z2),
              100 * (told + z2 / 2 + sqrt(z2 * (told * (1 - told) + z2 / 4))) / (1 + z2)) AS told_apart,
       printf('%.1f %%', 100 * said) AS said,
       printf('%.2f %%', 100 * off) AS off,
       printf('%.2f %%', 100 * reach) AS reach
FROM wilson
ORDER BY wilson.ranks IS NULL, wilson.ranks, item_bytes;
