-- title: Bhat, Prasanna, Raghavendra, Figure 3: timing diagrams of R_x(3, 4): what each rank sends (left half) and
-- receives (right half), and the peer
-- sweep: redistribution-figure3
-- rows: workload = 'redistribute' AND ranks = 4 AND json_extract(params, '$.factor') = 3
-- rows: AND point IN (SELECT point FROM run WHERE events_lost IS NOT NULL)
-- rows: AND kind <> 'modelled'
-- table: timeline
-- panel: panel
-- series: direction
-- script: timeline
-- data: forwarded_bytes x width
-- size: 1600x700
--
-- A column a rank, time downwards, a box per message; rectangles of no height are the data that a rank keeps. The
-- figure has each algorithm that was traced on the same instance, planned next to traced, each with an axis of its
-- own. Compare the order of the boxes with the plan's, and the ends of the plans with each other.
WITH bounds AS (
    SELECT contender, max(single_port_lower_bound_s) AS lower_bound_s
    FROM chosen
    GROUP BY contender
)
SELECT t.panel || CASE WHEN t.source = 'planned'
                       THEN printf(', %.3g ms (bound %.3g)', 1000 * t.makespan_s, 1000 * b.lower_bound_s)
                       ELSE printf(', %.3g ms', 1000 * t.makespan_s) END AS panel,
       t.direction,
       t.rank,
       t.number,
       t.peer,
       t.phase,
       t.bytes,
       t.forwarded_bytes,
       t.start_ms,
       t.end_ms,
       t.x,
       t.width
FROM timeline AS t
LEFT JOIN bounds AS b ON b.contender = t.contender
LEFT JOIN schedules AS a ON a.name = t.contender
ORDER BY a.place, t.contender, t.source, t.direction DESC, t.rank, t.number;
