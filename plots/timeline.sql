-- title: Timing diagram of one communication: what each rank sends (left half) and receives (right half), and the peer
-- sweep: redistribution-figure3
-- rows: point IN (SELECT point FROM run WHERE events_lost IS NOT NULL)
-- rows: AND kind <> 'modelled'
-- table: timeline
-- panel: panel
-- series: direction
-- data: x width
-- size: 1400x800
--
-- A column a rank, time downwards, as in Bhat, Prasanna and Raghavendra, Figure 3. Planned and traced may be on
-- different networks (tables/timeline.sql): compare the order, not the scale. forwarded_bytes is the part of a send
-- that a rank had received for others: the figure hatches that part of its box.
SELECT panel,
       direction,
       rank,
       number,
       peer,
       phase,
       bytes,
       forwarded_bytes,
       start_ms,
       end_ms,
       x,
       width
FROM timeline
WHERE place = 1
ORDER BY source, panel, direction DESC, rank, number;
