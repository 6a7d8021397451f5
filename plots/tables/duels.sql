-- Who wins, for the verdicts: a row for each kind, pattern, rank count and size of `duel_means`. winner:
-- the least mean of the medians; factor: how many times longer the next, ac, alltoallv and direct take.
-- significant: on one instance, that the 95 % intervals of winner and next do not overlap; on several,
-- that the winner is faster on so many of them that a sign test gives less than 5 %, which on 2 to 5 it
-- cannot (too few); BUSY: a launch behind one of the two began on a machine with other work, which nuce
-- compare takes for no proof either; disagree: runs of one of them do. What is simulated is exact: a tie
-- where times are within half a percent, else on one instance NULL, as nothing can be told of others.
WITH single AS (
    SELECT m.kind, m.pattern, m.ranks, m.size, m.place, e.value ->> 0 AS instance,
           e.value ->> 1 AS s, e.value ->> 2 AS low, e.value ->> 3 AS high, e.value ->> 4 AS doubt
    FROM duel_means AS m
    JOIN json_each(m.single) AS e
    WHERE m.place <= 2
),
-- Winner against next, instance by instance.
duel AS (
    SELECT x.kind, x.pattern, x.ranks, x.size, sum(x.s < y.s) AS wins, count(*) AS n,
           max(coalesce(x.high < y.low, 0)) AS apart, min(coalesce(x.doubt, y.doubt)) AS doubt,
           max(coalesce(x.doubt, '') = 'BUSY' OR coalesce(y.doubt, '') = 'BUSY') AS busy,
           max(y.s / x.s) < 1.005 AS tied
    FROM single AS x
    JOIN single AS y ON y.kind = x.kind AND y.pattern = x.pattern AND y.ranks = x.ranks
        AND y.size IS x.size AND y.instance = x.instance AND y.place = 2
    WHERE x.place = 1
    GROUP BY x.kind, x.pattern, x.ranks, x.size
),
-- Binomial coefficients of n = number of instances, for the sign test.
binomial (n, k, p) AS (
    SELECT n, 0, power(0.5, n) FROM (SELECT DISTINCT n FROM duel)
    UNION ALL
    SELECT n, k + 1, p * (n - k) / (k + 1) FROM binomial WHERE k < n
),
judged AS (
    SELECT d.*,
           CASE WHEN d.n > 1 THEN 2 * (SELECT sum(p) FROM binomial AS b WHERE b.n = d.n AND b.k >= d.wins)
                    < 0.05
                WHEN d.kind <> 'simulated' THEN d.apart END AS significant
    FROM duel AS d
)
SELECT w.kind, w.pattern, w.panel, w.ranks, w.size, w.unit, w.elements, w.factor AS times,
       w.environment,
       w.contender AS winner,
       w.instances,
       n.contender AS next,
       round(n.s / w.s, 3) AS factor,
       CASE WHEN j.busy THEN 'BUSY' WHEN j.doubt IS NOT NULL THEN j.doubt
            WHEN j.tied AND w.kind = 'simulated' THEN 'tie' WHEN j.n BETWEEN 2 AND 5 THEN 'too few' WHEN j.significant THEN 'yes' WHEN j.significant IS NOT NULL THEN 'no'
            END AS significant,
       (SELECT round(o.s / w.s, 3) FROM duel_means AS o WHERE o.kind = w.kind AND o.pattern = w.pattern
            AND o.ranks = w.ranks AND o.size IS w.size AND o.contender = 'ac') AS ac_factor,
       (SELECT round(o.s / w.s, 3) FROM duel_means AS o WHERE o.kind = w.kind AND o.pattern = w.pattern
            AND o.ranks = w.ranks AND o.size IS w.size AND o.contender = 'alltoallv') AS alltoallv_factor,
       (SELECT round(o.s / w.s, 3) FROM duel_means AS o WHERE o.kind = w.kind AND o.pattern = w.pattern
            AND o.ranks = w.ranks AND o.size IS w.size AND o.contender = 'direct') AS direct_factor
FROM duel_means AS w
LEFT JOIN duel_means AS n ON n.kind = w.kind AND n.pattern = w.pattern AND n.ranks = w.ranks
    AND n.size IS w.size AND n.place = 2
LEFT JOIN judged AS j ON j.kind = w.kind AND j.pattern = w.pattern AND j.ranks = w.ranks AND j.size IS w.size
WHERE w.place = 1;
