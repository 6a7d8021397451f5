-- Transfers for timing diagrams, of the run `shown` and of the newest traced runs of other algorithms on the same
-- instance; a row each, planned and traced. Planned transfers are the cost model's for the schedule on
-- planned_network, which may differ from the network of the run. If the point names none it is the preset cm5, and
-- the panel says so. Traced transfers are of one step after the samples, on synchronised clocks; simulated runs are
-- shown with simulated ones. place is 1 for the run shown, then follows nuce's order of algorithms. forwarded_bytes
-- is the part of a send that belongs to others' messages, by the plan, if there is one; NULL elsewhere. x and width
-- place a transfer in the drawing. Sends use the left half of its rank's column and receives the right half, in
-- adjacent lanes if a rank has several in flight.
WITH others AS (
    SELECT r.id AS run, r.point, r.planned_network, r.clock_error_s, r.events_lost,
           row_number() OVER (PARTITION BY r.point ORDER BY r.started DESC, r.id) AS newest
    FROM shown AS s
    JOIN run AS o ON o.id = s.run
    JOIN result AS w ON w.point = s.point AND w.kind = o.kind
    JOIN chosen AS c
        ON c.instance = w.instance AND c.ranks = w.ranks AND c.point <> s.point AND c.kind = o.kind
    JOIN pooled_run AS p ON p.point = c.point AND p.environment = c.environment
        AND p.kind = c.kind AND p.wait = c.wait
    JOIN run AS r ON r.id = p.run
    WHERE r.events_lost IS NOT NULL
),
runs AS (
    SELECT run, point, planned_network, clock_error_s, events_lost, 1 AS is_shown FROM shown
    UNION
    SELECT run, point, planned_network, clock_error_s, events_lost, 0 FROM others WHERE newest = 1
),
named AS (
    SELECT r.*, o.kind, p.contender, json_extract(p.params, '$.network') AS network,
           row_number() OVER (ORDER BY r.is_shown DESC, a.place, p.contender) AS place
    FROM runs AS r
    JOIN run AS o ON o.id = r.run
    JOIN point AS p ON p.id = r.point
    LEFT JOIN contenders AS a ON a.name = coalesce(p.decomposition, p.schedule, p.placement)
),
both AS (
    SELECT n.place, 'planned' AS source, n.kind, n.contender, n.network, n.planned_network,
           n.clock_error_s, n.events_lost, e.*
    FROM named AS n
    JOIN planned_event AS e ON e.run = n.run
    WHERE e.direction <> 'forward'
    UNION ALL
    SELECT n.place, 'traced', n.kind, n.contender, n.network, n.planned_network, n.clock_error_s,
           n.events_lost, e.*
    FROM named AS n
    JOIN event AS e ON e.run = n.run
),
-- A phase has one transfer to each other rank, so a traced transfer matches the plan's by phase and rank.
forwarded AS (
    SELECT e.run, e.rank, e.peer, e.phase, e.bytes
    FROM named AS n
    JOIN planned_event AS e ON e.run = n.run
    WHERE e.direction = 'forward'
),
-- The largest number of transfers that a rank has in flight, each way.
turns AS (
    SELECT run, source, direction, rank, start_s AS at, 1 AS change FROM both WHERE end_s > start_s
    UNION ALL
    SELECT run, source, direction, rank, end_s, -1 FROM both WHERE end_s > start_s
),
flights AS (
    SELECT run, source, direction, rank,
           sum(change) OVER (PARTITION BY run, source, direction, rank ORDER BY at, change
                             ROWS UNBOUNDED PRECEDING) AS flying
    FROM turns
),
most AS (
    SELECT run, source, direction, rank, max(flying) AS lanes
    FROM flights
    GROUP BY run, source, direction, rank
),
laned AS (
    SELECT b.*, f.bytes AS forwarded_bytes, coalesce(m.lanes, 1) AS lanes,
           (row_number() OVER (PARTITION BY b.run, b.source, b.direction, b.rank
                               ORDER BY b.start_s, b.number) - 1) % coalesce(m.lanes, 1) AS lane
    FROM both AS b
    LEFT JOIN most AS m ON m.run = b.run AND m.source = b.source AND m.direction = b.direction
        AND m.rank = b.rank
    LEFT JOIN forwarded AS f ON f.run = b.run AND f.rank = b.rank AND f.peer = b.peer AND f.phase = b.phase
        AND b.direction = 'send'
)
SELECT place,
       source,
       contender,
       contender || CASE source
           WHEN 'planned' THEN
               CASE WHEN network IS NULL AND planned_network = 'cm5'
                    THEN ': planned, no network named (costs of cm5)'
                    ELSE ': planned, network ' || iif(instr(planned_network, '@') > 0,
                        substr(planned_network, 1, instr(planned_network, '@') + 6), planned_network) END
           ELSE printf(': %s, clocks to %.1f us%s',
                       iif(kind = 'simulated', kind, 'traced'), 1e6 * clock_error_s,
                       iif(events_lost > 0, printf(', %d events lost', events_lost), ''))
           END AS panel,
       max(end_s) OVER (PARTITION BY run, source) AS makespan_s,
       direction,
       rank,
       number,
       peer,
       phase,
       bytes,
       forwarded_bytes,
       1000 * start_s AS start_ms,
       1000 * end_s AS end_ms,
       rank + round(CASE direction WHEN 'send' THEN -0.40 ELSE 0.02 END
                    + 0.38 * (lane + 0.5) / lanes, 4) AS x,
       0.38 / lanes AS width
FROM laned;
