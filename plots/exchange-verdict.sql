-- title: Exchange: which algorithm wins, by how much, and whether the papers' order holds
-- sweep: exchange-table5
-- rows: workload = 'exchange' AND placement IS NULL AND communication_s IS NOT NULL AND NOT coalesce(overlap, 0)
-- rows: AND kind <> 'modelled'
-- apart: ranks mesh partition pattern com density network
-- paper: exchange-table5 exchange-table6 exchange-table7
-- table: duel_means duels duel_winners
-- says: exchange_verdict
-- verdict: Exchange: which algorithm wins
--
-- A row for each kind, pattern, rank count and unit size (tables/duels.sql). The last column: of the
-- pairs of algorithms that the paper measured too (32 ranks there), how many come in its order here.
WITH pairs AS (
    SELECT a.kind, a.pattern, a.ranks, a.size, count(*) AS pairs,
           sum((a.s < b.s) = (p.value < q.value)) AS kept
    FROM duel_means AS a
    JOIN duel_means AS b ON b.kind = a.kind AND b.pattern = a.pattern AND b.ranks = a.ranks
        AND b.size IS a.size AND b.contender > a.contender
    JOIN paper AS p ON p.quantity = 'comm_ms' AND p.panel = a.panel AND p.unit = a.unit
        AND p.schedule = a.contender
    JOIN paper AS q ON q.quantity = 'comm_ms' AND q.panel = a.panel AND q.unit = a.unit
        AND q.schedule = b.contender
    GROUP BY a.kind, a.pattern, a.ranks, a.size
)
SELECT d.kind,
       d.pattern,
       d.ranks,
       d.unit,
       d.winner,
       d.instances,
       d.next,
       d.factor,
       d.significant,
       d.ac_factor,
       d.alltoallv_factor,
       d.environment,
       CASE WHEN p.pairs > 0 THEN printf('%d of %d pairs', p.kept, p.pairs) END AS paper_order
FROM duels AS d
LEFT JOIN pairs AS p ON p.kind = d.kind AND p.pattern = d.pattern AND p.ranks = d.ranks AND p.size IS d.size
ORDER BY d.kind, d.pattern, d.ranks, d.unit;
