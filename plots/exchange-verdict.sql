-- title: Exchange: which algorithm wins, by how much, and whether the papers' order holds
-- sweep: exchange-table5
-- rows: workload = 'exchange' AND placement IS NULL AND communication_s IS NOT NULL AND NOT coalesce(overlap, 0)
-- apart: ranks mesh partition pattern com density network
-- paper: exchange-table5 exchange-table6 exchange-table7
-- says: exchange_verdict
-- verdict: Exchange: which algorithm wins
--
-- A row for each pattern, rank count and unit size. winner: the least mean of the medians over the
-- instances that all its algorithms have; factor: how many times longer the next, ac and alltoallv
-- take. significant: on one instance, that the 95 % intervals of winner and next do not overlap; on
-- several, that the winner is faster on so many of them that a sign test gives less than 5 %; BUSY: a
-- launch behind one of the two began on a machine with other work, which nuce compare takes for no proof
-- either.
-- The last column, of the pairs of algorithms that the paper measured too (32 ranks there), how many
-- come in its order here.
WITH busy AS (
    SELECT DISTINCT r.point
    FROM behind AS b
    JOIN run AS r ON r.campaign = b.campaign AND r.job = b.id
    WHERE b.busy AND r.status = 'ok'
),
named AS (
    SELECT coalesce(mesh || ' ' || partition, com, pattern || coalesce(' d = ' || density, ''))
               || coalesce(', network ' || network, '') AS pattern,
           CASE WHEN mesh IS NOT NULL THEN printf('%d mesh points', substr(mesh, 6))
                WHEN pattern = 'skewed' THEN 'skewed'
                ELSE printf('d = %d', density) END AS panel,
           ranks, unit, algorithm, instance, communication_s AS s,
           coalesce(communication_low_s, communication_s) AS low,
           coalesce(communication_high_s, communication_s) AS high,
           communication_low_s IS NOT NULL AS has_interval,
           point IN (SELECT point FROM busy) AS busy
    FROM chosen
),
counted AS (
    SELECT pattern, ranks, unit, instance, count(*) AS algorithms,
           max(count(*)) OVER (PARTITION BY pattern, ranks, unit) AS most
    FROM named
    GROUP BY pattern, ranks, unit, instance
),
shared AS (
    SELECT n.*
    FROM named AS n
    JOIN counted AS c ON c.pattern = n.pattern AND c.ranks = n.ranks AND c.unit IS n.unit
        AND c.instance = n.instance
    WHERE c.algorithms = c.most AND c.most > 1
),
means AS (
    SELECT pattern, panel, ranks, unit, algorithm, count(*) AS instances, avg(s) AS s,
           row_number() OVER (PARTITION BY pattern, ranks, unit
                              ORDER BY avg(s), algorithm) AS place
    FROM shared
    GROUP BY pattern, ranks, unit, algorithm
),
-- Winner against next, instance by instance.
duel AS (
    SELECT a.pattern, a.ranks, a.unit, sum(x.s < y.s) AS wins, count(*) AS n,
           max(x.has_interval AND y.has_interval AND x.high < y.low) AS apart,
           max(x.busy OR y.busy) AS busy
    FROM means AS a
    JOIN means AS b ON b.pattern = a.pattern AND b.ranks = a.ranks AND b.unit IS a.unit
        AND b.place = 2
    JOIN shared AS x ON x.pattern = a.pattern AND x.ranks = a.ranks AND x.unit IS a.unit
        AND x.algorithm = a.algorithm
    JOIN shared AS y ON y.pattern = a.pattern AND y.ranks = a.ranks AND y.unit IS a.unit
        AND y.algorithm = b.algorithm AND y.instance = x.instance
    WHERE a.place = 1
    GROUP BY a.pattern, a.ranks, a.unit
),
-- Binomial coefficients of n = number of instances, for the sign test.
binomial (n, k, p) AS (
    SELECT n, 0, power(0.5, n) FROM (SELECT DISTINCT n FROM duel)
    UNION ALL
    SELECT n, k + 1, p * (n - k) / (k + 1) FROM binomial WHERE k < n
),
verdict AS (
    SELECT d.*,
           CASE WHEN d.n = 1 THEN d.apart
                ELSE 2 * (SELECT sum(p) FROM binomial AS b WHERE b.n = d.n AND b.k >= d.wins)
                    < 0.05 END AS significant
    FROM duel AS d
),
pairs AS (
    SELECT a.pattern, a.ranks, a.unit, count(*) AS pairs, sum((a.s < b.s) = (p.value < q.value)) AS kept
    FROM means AS a
    JOIN means AS b ON b.pattern = a.pattern AND b.ranks = a.ranks AND b.unit IS a.unit
        AND b.algorithm > a.algorithm
    JOIN paper AS p ON p.quantity = 'comm_ms' AND p.panel = a.panel AND p.unit = a.unit
        AND p.algorithm = a.algorithm
    JOIN paper AS q ON q.quantity = 'comm_ms' AND q.panel = a.panel AND q.unit = a.unit
        AND q.algorithm = b.algorithm
    GROUP BY a.pattern, a.ranks, a.unit
)
SELECT w.pattern,
       w.ranks,
       w.unit,
       w.algorithm AS winner,
       w.instances,
       n.algorithm AS next,
       round(n.s / w.s, 3) AS factor,
       CASE WHEN v.busy THEN 'BUSY' WHEN v.significant THEN 'yes' WHEN v.significant IS NOT NULL THEN 'no' END
           AS significant,
       round(c.s / w.s, 3) AS ac_factor,
       round(l.s / w.s, 3) AS alltoallv_factor,
       CASE WHEN p.pairs > 0 THEN printf('%d of %d pairs', p.kept, p.pairs) END AS paper_order
FROM means AS w
LEFT JOIN means AS n ON n.pattern = w.pattern AND n.ranks = w.ranks AND n.unit IS w.unit
    AND n.place = 2
LEFT JOIN means AS c ON c.pattern = w.pattern AND c.ranks = w.ranks AND c.unit IS w.unit
    AND c.algorithm = 'ac'
LEFT JOIN means AS l ON l.pattern = w.pattern AND l.ranks = w.ranks AND l.unit IS w.unit
    AND l.algorithm = 'alltoallv'
LEFT JOIN verdict AS v ON v.pattern = w.pattern AND v.ranks = w.ranks AND v.unit IS w.unit
LEFT JOIN pairs AS p ON p.pattern = w.pattern AND p.ranks = w.ranks AND p.unit IS w.unit
WHERE w.place = 1
ORDER BY w.pattern, w.ranks, w.unit;
