-- title: Timing diagram of one exchange: what each rank sends (left half) and receives (right half), and the peer; traced from start to completion
-- rows: point IN (SELECT point FROM run WHERE events_lost IS NOT NULL)
-- panel: panel
-- series: direction
-- size: 1400x800
--
-- A column a rank, time downwards, as in Bhat, Prasanna and Raghavendra, Figure 3. Planned: what the cost
-- model says of the schedule on the network that the panel names, which need not be this one: compare
-- the order, not the scale. Traced: one step after the samples, on synchronised clocks.
WITH both AS (
    SELECT 1 AS place,
           (SELECT algorithm FROM chosen LIMIT 1) || ': planned, network ' || s.planned_network
               AS panel,
           e.*
    FROM planned_event AS e
    JOIN shown AS s ON s.run = e.run
    UNION ALL
    SELECT 2, (SELECT algorithm FROM chosen LIMIT 1) || printf(': traced, clocks to %.1f us%s', 1e6 * s.clock_error_s,
                     iif(s.events_lost > 0, printf(', %d events lost', s.events_lost), '')), e.*
    FROM event AS e
    JOIN shown AS s ON s.run = e.run
)
SELECT panel,
       direction,
       rank,
       number,
       peer,
       phase,
       bytes,
       1000 * start_s AS start_ms,
       1000 * end_s AS end_ms,
       rank + CASE direction WHEN 'send' THEN -0.21 ELSE 0.21 END AS x
FROM both
ORDER BY place, panel, direction DESC, rank, number;
