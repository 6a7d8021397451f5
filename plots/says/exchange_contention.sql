-- Table 2 of Ranka, Wang and Kumar: a rank receives d messages one after the other, so the time grows with d.
-- It holds if the time is longer at each larger d, in part if it is at more than half of them. A measured time
-- is longer if it exceeds the intervals of the whole exchange; if most steps do not, the result is unknown.
-- Milliseconds of a CM-5 do not apply to another machine. Those of its simulation are as printed if all are
-- within 15 %, in part if half are.
WITH named (kind, ranks, bytes, d, value, paper, low, high) AS (
    SELECT 'measured', one.ranks, one.bytes, one.d, one.value, one.paper_value, whole.low, whole.high
    FROM plotted AS one
    JOIN plotted AS whole ON whole.quantity = 'all ms' AND whole.direction = one.direction
        AND whole.ranks = one.ranks AND whole.bytes = one.bytes AND whole.d = one.d
    WHERE one.quantity = 'one ms' AND one.direction = 'to-one'
    UNION ALL
    SELECT 'simulated', ranks, bytes, d, simulated_value, paper_value, simulated_value, simulated_value
    FROM plotted
    WHERE quantity = 'one ms' AND direction = 'to-one'
),
stepped AS (
    SELECT *, value / lag(value) OVER same AS step, low > lag(high) OVER same AS longer,
           high < lag(low) OVER same AS shorter
    FROM named
    WHERE value IS NOT NULL
    WINDOW same AS (PARTITION BY kind, ranks, bytes ORDER BY d)
)
SELECT kind, printf('The time to receive d messages of %d bytes grows with d (3.1)', bytes) AS claim,
       CASE WHEN total(longer) = count(step) THEN 'yes'
            WHEN total(longer) > 0.5 * count(step) THEN 'partly'
            WHEN kind = 'measured' AND total(longer) + total(shorter) <= 0.5 * count(step) THEN NULL
            ELSE 'no' END AS holds,
       CASE WHEN kind <> 'simulated' OR count(paper) = 0 THEN NULL
            WHEN total(abs(value / paper - 1) <= 0.15) = count(paper) THEN 'yes'
            WHEN total(abs(value / paper - 1) <= 0.15) >= 0.5 * count(paper) THEN 'partly'
            ELSE 'no' END AS printed,
       printf('from d = %d to %d, %d ranks, at %d of %d steps%s, %.2f times in all', min(d), max(d), ranks,
              total(longer), count(step), iif(kind = 'measured', ' beyond the intervals', ''),
              exp(total(ln(step))))
           || CASE WHEN count(paper) = 0 THEN '.'
                   ELSE printf('; %.2f to %.2f of the times on the paper''s machine, %d of %d within 15 %%.',
                               min(value / paper), max(value / paper), total(abs(value / paper - 1) <= 0.15),
                               count(paper)) END AS sentence
FROM stepped
GROUP BY kind, ranks, bytes
HAVING count(step) > 0
ORDER BY kind, ranks, bytes;
