-- title: Exchange: which schedules are fastest, by how much, and whether the papers' order holds
-- sweep: exchange-table5
-- rows: workload = 'exchange' AND placement IS NULL AND communication_s IS NOT NULL AND NOT coalesce(overlap, 0)
-- rows: AND kind <> 'modelled'
-- apart: ranks mesh partition pattern com density network
-- paper: exchange-table5 exchange-table6 exchange-table7
-- table: panels races verdicts winners
-- says: exchange_verdict
-- verdict: Exchange: which schedules are fastest
--
-- A row for each pattern, rank count and unit (tables/winners.sql). The last column: of the pairs of
-- algorithms that the paper measured too (32 ranks there), how many come in its order here.
WITH means AS (
    SELECT g.panel, g.size, g.contender, c.unit,
           CASE WHEN c.mesh IS NOT NULL THEN printf('%d mesh points', substr(c.mesh, 6))
                WHEN c.pattern = 'skewed' THEN 'skewed'
                WHEN c.density IS NOT NULL THEN printf('d = %d', c.density) END AS paper_panel,
           avg(g.s) AS s
    FROM panels AS g
    JOIN chosen AS c ON c.point = g.point AND c.kind = g.kind AND c.environment = g.environment AND c.wait = g.wait
    GROUP BY g.panel, g.size, g.contender
),
pairs AS (
    SELECT a.panel, a.size, count(*) AS pairs, sum((a.s < b.s) = (p.value < q.value)) AS kept
    FROM means AS a
    JOIN means AS b ON b.panel = a.panel AND b.size = a.size AND b.contender > a.contender
    JOIN paper AS p ON p.quantity = 'comm_ms' AND p.panel = a.paper_panel AND p.unit = a.unit
        AND p.schedule = a.contender
    JOIN paper AS q ON q.quantity = 'comm_ms' AND q.panel = a.paper_panel AND q.unit = a.unit
        AND q.schedule = b.contender
    GROUP BY a.panel, a.size
)
SELECT w.kind, w.panel AS instance, w.ranks, w.at AS size, w.best, w.instances, w.next, w.factor, w.factor_low,
       w.factor_high, w.ac_factor, w.alltoallv_factor, w.launches, w.control, w.control_low,
       w.control_high, w.environment,
       CASE WHEN p.pairs > 0 THEN printf('%d of %d pairs', p.kept, p.pairs) END AS paper_order
FROM winners AS w
LEFT JOIN pairs AS p ON p.panel = w.panel AND p.size = w.size
ORDER BY w.kind, w.ranks, w.panel, w.x, w.size;
