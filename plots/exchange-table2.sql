-- title: Ranka, Wang, Kumar, Table 2: d messages to one rank at once, and from one rank to d, ms (measured: here; simulated: on the platform named below; paper: their 32-node CM-5)
-- sweep: exchange-table2
-- rows: workload = 'contention' AND communication_s IS NOT NULL
-- rows: AND kind <> 'modelled'
-- paper: exchange-table2
-- table: exchange_contention
-- pivot: quantity
-- cells: measured simulated paper
-- data: value low high n simulated_value paper_value
--
-- The column 'all' is the time until the last rank is done, median [95 % interval]. 'one' is the time of the rank that
-- d others send to (the paper's recv), or that sends to d. 'd max', 'd min' and 'd ave' are the longest, shortest and
-- mean time of those d (the paper's send), medians over the samples. The gain is the throughput of the node relative to
-- one partner [interval]. growth and regime follow from it: measured or, without a measurement, simulated
-- (tables/exchange_contention.sql).
WITH quantities (quantity, place) AS (
    VALUES ('gain', 1), ('all ms', 2), ('one ms', 3), ('d max ms', 4), ('d min ms', 5),
           ('d ave ms', 6)
),
ours AS (
    SELECT c.kind, c.ranks, c.direction, c.bytes, c.partners, q.quantity, c.n,
           CASE q.quantity WHEN 'gain' THEN c.gain
                           WHEN 'all ms' THEN 1000 * c.s
                           WHEN 'one ms' THEN 1000 * c.one_s
                           WHEN 'd max ms' THEN 1000 * c.others_max_s
                           WHEN 'd min ms' THEN 1000 * c.others_min_s
                           ELSE 1000 * c.others_mean_s END AS value,
           CASE q.quantity WHEN 'gain' THEN c.gain_low
                           WHEN 'all ms' THEN 1000 * c.low_s END AS low,
           CASE q.quantity WHEN 'gain' THEN c.gain_high
                           WHEN 'all ms' THEN 1000 * c.high_s END AS high
    FROM exchange_contention AS c
    CROSS JOIN quantities AS q
),
theirs AS (
    SELECT 32 AS ranks, 'to-one' AS direction, p.bytes, p.senders AS partners, q.quantity,
           CASE q.quantity WHEN 'one ms' THEN p.recv_ms
                           WHEN 'd max ms' THEN p.send_max_ms
                           WHEN 'd min ms' THEN p.send_min_ms
                           WHEN 'd ave ms' THEN p.send_ave_ms END AS value
    FROM paper AS p
    CROSS JOIN quantities AS q
),
keys AS (
    -- Includes the gain of one partner, although it has none: columns appear in the order of first occurrence.
    SELECT ranks, direction, bytes, partners, quantity FROM ours
    WHERE value IS NOT NULL OR quantity = 'gain'
    UNION
    SELECT ranks, direction, bytes, partners, quantity FROM theirs WHERE value IS NOT NULL
)
SELECT k.ranks,
       k.direction,
       k.bytes,
       k.partners AS d,
       coalesce(c.growth, d.growth) AS growth,
       coalesce(c.regime, d.regime) AS regime,
       k.quantity,
       CASE WHEN o.value IS NULL THEN NULL
            WHEN o.low IS NULL THEN printf('%.4g', o.value)
            WHEN k.quantity = 'gain' THEN printf('%.3g [%.3g, %.3g]', o.value, o.low, o.high)
            ELSE printf('%.4g [%.4g, %.4g]', o.value, o.low, o.high) END AS measured,
       CASE WHEN s.value IS NOT NULL THEN printf('%.4g', s.value) END AS simulated,
       CASE WHEN t.value IS NULL THEN NULL ELSE printf('%.5g', t.value) END AS paper,
       o.value,
       o.low,
       o.high,
       o.n,
       s.value AS simulated_value,
       t.value AS paper_value
FROM keys AS k
JOIN quantities AS q ON q.quantity = k.quantity
LEFT JOIN ours AS o ON o.kind = 'measured' AND o.ranks = k.ranks AND o.direction = k.direction
    AND o.bytes = k.bytes AND o.partners = k.partners AND o.quantity = k.quantity
LEFT JOIN ours AS s ON s.kind = 'simulated' AND s.ranks = k.ranks AND s.direction = k.direction
    AND s.bytes = k.bytes AND s.partners = k.partners AND s.quantity = k.quantity
LEFT JOIN theirs AS t ON t.ranks = k.ranks AND t.direction = k.direction AND t.bytes = k.bytes
    AND t.partners = k.partners AND t.quantity = k.quantity
LEFT JOIN exchange_contention AS c ON c.kind = 'measured' AND c.ranks = k.ranks
    AND c.direction = k.direction AND c.bytes = k.bytes AND c.partners = k.partners
LEFT JOIN exchange_contention AS d ON d.kind = 'simulated' AND d.ranks = k.ranks
    AND d.direction = k.direction AND d.bytes = k.bytes AND d.partners = k.partners
ORDER BY k.ranks, k.direction = 'from-one', k.bytes, k.partners, q.place;

-- says
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
