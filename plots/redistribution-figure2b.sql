-- title: Bhat, Prasanna, Raghavendra, Figure 2(b): contention-free schedule of R_x(3, 4), K = 3 on 4 ranks: destination of each rank in each step
-- sweep: redistribution-figure3
-- rows: workload = 'redistribute' AND contender = 'direct' AND ranks = 4 AND json_extract(params, '$.factor') = 3
-- rows: AND json_extract(params, '$.reverse') IS NULL AND point IN (SELECT point FROM run WHERE events_lost IS NOT NULL)
-- paper: redistribution-figure2b
-- panel: panel
-- series: source
-- pivot: sender
-- cells: cell
-- data: panel rank receiver
-- size: 960x480
--
-- planned is the schedule of one run of direct, traced the transfers of its ranks. A rank that sends to itself copies:
-- no message is sent.
WITH sources (source, place) AS (VALUES ('paper', 1), ('planned', 2), ('traced', 3)),
events AS (
    SELECT 'planned' AS source, e.phase + 1 AS step, e.rank, e.peer AS receiver
    FROM planned_event AS e
    JOIN shown AS s ON s.run = e.run
    WHERE e.direction = 'send'
    UNION ALL
    SELECT 'traced', e.phase + 1, e.rank, e.peer
    FROM event AS e
    JOIN shown AS s ON s.run = e.run
    WHERE e.direction = 'send'
    UNION ALL
    SELECT 'paper', step, rank, receiver
    FROM paper
)
SELECT e.step,
       'step ' || e.step AS panel,
       e.source,
       'from ' || e.rank AS sender,
       'to ' || e.receiver AS cell,
       e.rank,
       e.receiver
FROM events AS e
JOIN sources AS s ON s.source = e.source
ORDER BY e.step, s.place, e.rank, e.receiver;
