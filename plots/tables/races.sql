-- The speed of each contender in each panel and size of `panels`: a row for each contender, and one for the
-- reference's duplicate. role: reference, contender, duplicate. ratio is to the reference (race_pairs), low and high
-- its 95 % interval, NULL for one launch; all of them are NULL if the two never raced. side: 1 if it is significantly
-- slower than the reference, -1 faster, 0 neither; is_slower: it is slower if corrected for all contenders, too.
-- is_best is as in the view `standing`; ratio_to_fastest is the ratio to the least time. slower_than is the
-- reference, if that is one of the fastest and the contender is_slower. Otherwise it is the contender that is faster
-- with the most certainty. slower is the ratio to that one, with its interval. For a contender that is not best it is
-- above 1, and by more than the noise's interval reaches from 1. needed is the number of launches in which one of the
-- best would likely differ from the one with the least time, which is least; least_launches is the number in which
-- the two raced. is_apart: it never raced with some other one, as a contender of a later campaign. too_few: the
-- number of its launches, if it has no interval with any other one. Then is_best is NULL, and the others are judged
-- without it. Simulated or modelled times have no noise: launches is NULL, the noise is the limit of a tie (tie_of),
-- and the reference is the first that nuce lists.
WITH counted AS (
    SELECT *, iif(launches IS NULL, middle > noise, is_slower(launches, middle, error, rivals, noise)) AS is_slower
    FROM (SELECT *, count(*) OVER (PARTITION BY panel, size, contender, is_duplicate) AS rivals FROM race_pairs)
),
judged AS (
    SELECT panel, size, contender, max(launches) AS launches, max(rivals) AS rivals,
           max(is_slower) AS is_slower,
           coalesce(max(middle) FILTER (WHERE reach IS NOT NULL), max(middle)) AS over_least
    FROM counted
    WHERE NOT is_duplicate
    GROUP BY panel, size, contender
),
-- Its rivals that are not slower than some.
met AS (
    SELECT c.panel, c.size, c.contender, total(b.is_slower = 0) AS met
    FROM counted AS c
    JOIN judged AS b ON b.panel = c.panel AND b.size = c.size AND b.contender = c.baseline
    WHERE NOT c.is_duplicate
    GROUP BY c.panel, c.size, c.contender
),
stood AS (
    SELECT panel, size, contender, over_least,
           CASE WHEN is_slower THEN 0
                WHEN met + 1 = total(is_slower = 0) OVER same THEN 1 - is_slower END AS is_best,
           iif(is_slower IS NULL, launches, NULL) AS too_few,
           rivals + 1 < count(*) OVER same AS is_apart
    FROM judged
    JOIN met USING (panel, size, contender)
    WINDOW same AS (PARTITION BY panel, size)
),
-- A step that is too short has no result, for any ratios.
short AS (
    SELECT panel, size FROM panels GROUP BY panel, size HAVING max(too_short)
),
-- The contender with the least time, to which ratio_to_fastest refers.
fastest AS (
    SELECT panel, size, contender, row_number() OVER (PARTITION BY panel, size
                                                      ORDER BY too_few IS NOT NULL, over_least, contender) AS nth
    FROM stood
),
-- One reference a panel and size: if campaigns used different ones, the one with most comparisons.
referred AS (
    SELECT panel, size, baseline AS reference,
           row_number() OVER (PARTITION BY panel, size ORDER BY count(*) DESC, baseline) AS nth
    FROM race_pairs
    WHERE is_to_reference
    GROUP BY panel, size, baseline
),
-- For each contender, the one that it is reported slower than.
shown AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.panel, c.size, c.contender
                                   ORDER BY c.is_slower DESC,
                                       c.baseline = r.reference AND b.is_best DESC,
                                       coalesce(c.middle - c.reach, c.middle) DESC, c.baseline) AS nth
    FROM counted AS c
    JOIN referred AS r ON r.panel = c.panel AND r.size = c.size AND r.nth = 1
    JOIN stood AS b ON b.panel = c.panel AND b.size = c.size AND b.contender = c.baseline
    WHERE NOT c.is_duplicate
)
SELECT s.panel, s.size, s.contender, iif(s.contender = r.reference, 'reference', 'contender') AS role,
       r.reference, c.launches, iif(s.contender = r.reference, 1.0, exp(c.middle)) AS ratio,
       exp(c.middle - c.reach) AS low, exp(c.middle + c.reach) AS high,
       iif(x.panel IS NULL, race_side(c.middle, c.reach, c.noise), NULL) AS side,
       iif(x.panel IS NULL, c.is_slower, NULL) AS is_slower,
       iif(x.panel IS NULL, s.is_best, NULL) AS is_best,
       exp(t.middle) AS ratio_to_fastest, w.baseline AS slower_than, exp(w.middle) AS slower,
       exp(w.middle - w.reach) AS slower_low, exp(w.middle + w.reach) AS slower_high,
       iif(s.is_best, launches_needed(t.launches, t.middle, t.error, t.rivals, t.noise), NULL) AS needed, s.is_apart,
       f.contender AS least, t.launches AS least_launches, s.too_few
FROM stood AS s
JOIN referred AS r ON r.panel = s.panel AND r.size = s.size AND r.nth = 1
JOIN fastest AS f ON f.panel = s.panel AND f.size = s.size AND f.nth = 1
LEFT JOIN counted AS c ON c.panel = s.panel AND c.size = s.size AND c.contender = s.contender
    AND NOT c.is_duplicate AND c.baseline = r.reference
LEFT JOIN counted AS t ON t.panel = s.panel AND t.size = s.size AND t.contender = s.contender
    AND NOT t.is_duplicate AND t.baseline = f.contender
LEFT JOIN shown AS w ON w.panel = s.panel AND w.size = s.size AND w.contender = s.contender AND w.nth = 1
LEFT JOIN short AS x ON x.panel = s.panel AND x.size = s.size
UNION ALL
SELECT c.panel, c.size, c.contender, 'duplicate', c.contender, c.launches, exp(c.middle),
       exp(c.middle - c.reach), exp(c.middle + c.reach), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL,
       NULL, NULL
FROM race_pairs AS c
JOIN referred AS r ON r.panel = c.panel AND r.size = c.size AND r.nth = 1 AND r.reference = c.contender
WHERE c.is_duplicate;
