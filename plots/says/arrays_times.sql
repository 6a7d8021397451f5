-- Table 8 of Kaddoura, Ranka and Wang. Its times are of 1996, so its statement on prohibitive times cannot
-- be judged today. The statement that latency takes more time, because edges are counted, cannot be judged
-- either: their search counts edges, while ours uses dynamic programs and branch and bound.
WITH ours AS (
    SELECT o.processors, o."column", o.value, p.value AS paper
    FROM plotted AS o
    JOIN plotted AS p ON p.source = 'paper' AND p.processors = o.processors AND p."column" = o."column"
    WHERE o.source = 'ours'
),
-- Only the largest number of parts is spelled out.
units (unit, least, us) AS (
    VALUES ('us', 0, 1), ('ms', 1e3, 1e3), ('s', 1e6, 1e6)
),
spelled AS (
    SELECT group_concat(printf('%s %.3g us (%.3g %s)',
                               replace(replace("column", ', latency nonzero', ' with latency'),
                                       ', latency zero', ' without'),
                               value, paper / u.us, u.unit), ', ') AS sentence,
           processors
    FROM ours
    JOIN units AS u ON u.us = (SELECT max(us) FROM units WHERE paper >= least)
    WHERE processors = (SELECT max(processors) FROM ours)
      AND "column" NOT LIKE 'rb3,%'
),
latencies AS (
    SELECT n.value / z.value AS more
    FROM ours AS n
    JOIN ours AS z ON z.processors = n.processors
        AND z."column" = replace(n."column", 'latency nonzero', 'latency zero')
    WHERE n."column" LIKE '%latency nonzero'
)
SELECT 1 AS place, 'The time of the search is not prohibitive' AS claim, NULL AS holds,
       printf('not comparable: %d of %d means are at most the paper''s, of 1996; processor time for %d parts: ', total(value <= paper),
              count(*), (SELECT processors FROM spelled)) || (SELECT sentence FROM spelled)
           || '.' AS sentence
FROM ours
GROUP BY NULL HAVING count(*) > 0
UNION ALL
SELECT 2, 'Latency takes more time, as edges are counted', NULL,
       printf('not comparable: %.2f to %.2f times as much; 5 %% and more in %d of %d cells: ours is by dynamic programs '
              || 'and branch and bound.', min(more), max(more), total(more >= 1.05), count(*))
FROM latencies
GROUP BY NULL HAVING count(*) > 0
ORDER BY place;
