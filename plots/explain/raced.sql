-- How a contender differs from its reference: the table `explained`, a row for it and one for its reference, of each
-- race of the campaign that the store was narrowed to. `asked` has its name, `disciplines` those of the schedules.
-- Times are of the rank that ended last, means over the launches. Its parts add up to its step, so the difference of
-- two steps is the sum of those of their parts. A part with at least half of it, significantly, is where the time
-- goes. Nothing is said of a difference that is not significant. Plans are compared only if that part is the
-- exchange, and models only if the machine is not faster than the bound for their network.
CREATE TEMP TABLE launched AS
SELECT r.race || j.environment || r.kind || coalesce(r.wait, '') AS race, r.point, a.run = a.reference AS is_reference,
       r.metrics AS own, b.metrics AS base, r.stopped = 'known' AS known
FROM raced AS a
JOIN run AS r ON r.id = a.run
JOIN run AS b ON b.id = a.reference
JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
WHERE json_extract(r.metrics, '$.last_step_s') IS NOT NULL;

CREATE TEMP TABLE differences AS
WITH parts (part, name) AS (
    VALUES ('step', NULL), ('communication', 'exchange'), ('computation', 'computation'), ('late', 'start'),
           ('pack', 'packing'), ('unpack', 'unpacking'), ('rebalance', 'new cut'), ('move', 'move of cells'), ('other', 'rest')
)
SELECT race, point, name, json_extract(e, '$[1]') AS s, json_extract(e, '$[3]') AS reach
FROM (SELECT l.race, l.point, p.name,
             over_launches(coalesce(json_extract(l.own, '$.last_' || p.part || '_s'), 0)
                           - coalesce(json_extract(l.base, '$.last_' || p.part || '_s'), 0), coalesce(l.known, 0)) AS e
      FROM launched AS l, parts AS p
      WHERE NOT l.is_reference
      GROUP BY l.race, l.point, p.part);

-- way: how a schedule makes ranks wait, by its discipline. Messages inside a library's call are not recorded.
-- is_slow_network: faster than the bound for its network.
CREATE TEMP TABLE entered AS
WITH means AS (
    SELECT race, point, avg(json_extract(own, '$.last_step_s')) AS step_s,
           avg(json_extract(own, '$.last_late_s')) AS late_s,
           avg(json_extract(own, '$.last_communication_s')) AS communication_s
    FROM launched
    GROUP BY race, point
),
recorded AS (
    SELECT o.race || o.environment || o.kind || o.wait AS race, o.contender = 'reference' AS is_reference, o.name, o.ranks,
           o.workload, o.ratio, o.ratio_low, o.ratio_high,
           -- The test of the fastest, so that 'nuce show' agrees.
           iif(is_slower(a.launches, ln(a.ratio), a.standard_error, a.rivals, z.reach) = 0, 'inconclusive', o.verdict)
               AS verdict,
           CASE WHEN o.verdict IN ('slower', 'faster')
                THEN printf(', whose interval lies %s 1, but not if corrected for all contenders',
                            iif(o.verdict = 'slower', 'above', 'below'))
                WHEN o.verdict = 'inconclusive' AND abs(ln(o.ratio)) <= z.reach AND (o.ratio_low > 1 OR o.ratio_high < 1)
                THEN ', no further from 1 than the noise reaches, ' || told_ratio(exp(z.reach), NULL, NULL)
                ELSE '' END AS remark,
           o.point, w.instance,
           iif(d.discipline = 'dynamic', NULL, w.phases) AS phases, iif(d.discipline = 'dynamic', NULL, w.pieces) AS transfers,
           w.contender, w.ran_as, w.oversubscribed, w.predicted_s, w.schedule_s, w.network_taken, d.discipline,
           CASE WHEN d.discipline = 'dynamic' THEN 'makes its transfers inside its call, which are not recorded'
                WHEN d.discipline = 'streams'
                THEN 'has at most ' || coalesce(w.in_flight_taken, 1) || ' in flight a rank and direction'
                WHEN d.discipline = 'blocking' THEN 'waits for each send of a rank before its next'
                WHEN d.discipline = 'post-all' OR w.phases = 1 THEN 'posts all at once'
                ELSE 'has ' || w.phases || ' phases, and in each a rank waits for its partners' END AS way,
           json_extract(w.metrics, '$.last_pack_s') IS NOT NULL AS packs,
           json_extract(w.metrics, '$.last_rank') AS last_rank, json_extract(w.metrics, '$.load_balance') AS load_balance,
           coalesce(json_extract(w.metrics, '$.forwarded_bytes'), 0) AS forwarded_bytes,
           w.bytes - coalesce(json_extract(w.metrics, '$.self_bytes'), 0)
               + coalesce(json_extract(w.metrics, '$.forwarded_bytes'), 0) AS sent_bytes,
           m.step_s, m.late_s, m.communication_s, coalesce(w.lower_bound_s > m.step_s, 0) AS is_slow_network,
           (SELECT substr(t.hash, 1, 12) FROM run AS t WHERE t.point = o.point AND t.events_lost IS NOT NULL
            ORDER BY t.started DESC LIMIT 1) AS traced
    FROM ratio AS o
    JOIN result AS w ON w.point = o.point AND w.environment = o.environment AND w.kind = o.kind AND w.wait = o.wait
    LEFT JOIN means AS m ON m.race = o.race || o.environment || o.kind || o.wait AND m.point = o.point
    LEFT JOIN noise AS z ON z.race = o.race AND z.environment = o.environment AND z.kind = o.kind AND z.wait = o.wait
    -- The slower one over the faster one.
    LEFT JOIN against AS a ON a.race = o.race AND a.environment = o.environment AND a.kind = o.kind AND a.wait = o.wait
        AND a.point = CASE o.verdict WHEN 'slower' THEN o.point WHEN 'faster' THEN o.reference END
        AND a.baseline = iif(o.verdict = 'slower', o.reference, o.point)
    LEFT JOIN disciplines AS d ON d.name = o.schedule
    WHERE o.contender <> 'duplicate'
)
SELECT *, told_bytes(sent_bytes) || coalesce(' in ' || told_transfers, '') AS told_sent
FROM (SELECT *, transfers || iif(transfers = 1, ' transfer', ' transfers') AS told_transfers FROM recorded);

-- slow and fast are the two by the verdict; sign is -1 if the reference is the slow one.
CREATE TEMP TABLE explained AS
WITH paired AS (
    SELECT c.race, c.point, c.name, r.name AS reference, c.verdict, c.discipline, c.traced, c.ran_as, c.contender,
           told_ratio(c.ratio, c.ratio_low, c.ratio_high) AS ratio, c.remark,
           iif(c.verdict = 'faster', r.point, c.point) AS slow, iif(c.verdict = 'faster', c.point, r.point) AS fast,
           iif(c.verdict = 'faster', -1, 1) AS sign,
           CASE WHEN c.load_balance + r.load_balance IS NOT NULL
                THEN printf('load balance, maximum over ranks / mean, is %.2f for %s and %.2f for %s', c.load_balance, c.name,
                            r.load_balance, r.name) END AS balance
    FROM entered AS c
    JOIN asked AS a ON a.name = c.name
    JOIN entered AS r ON r.race = c.race AND r.is_reference
    WHERE NOT c.is_reference
),
-- The part with most of the difference of two steps, and whether it has half of it.
found AS (
    SELECT race, point, part, s > reach AS is_longer, s < -reach AS is_shorter, s > reach AND part_s > part_reach AND 2 * part_s >= s AS is_cause,
           told_time(s) || coalesce(' [' || told_time(s - reach) || ', ' || told_time(s + reach) || ']', '') AS step,
           told_time(part_s)
               || coalesce(' [' || told_time(part_s - part_reach) || ', ' || told_time(part_s + part_reach) || ']', '')
               AS of_part,
           row_number() OVER (PARTITION BY race, point ORDER BY part_s DESC) AS nth
    FROM (SELECT o.race, o.point, p.name AS part, o.sign * t.s AS s, t.reach, o.sign * p.s AS part_s, p.reach AS part_reach
          FROM paired AS o
          JOIN differences AS p ON p.race = o.race AND p.point = o.point AND p.name IS NOT NULL
          JOIN differences AS t ON t.race = o.race AND t.point = o.point AND t.name IS NULL)
),
answered AS (
    SELECT o.race, o.point, o.verdict IN ('slower', 'faster') AS is_known,
           iif(o.verdict = 'same' OR x.sent_bytes = 0, NULL, 'more launches, on an idle machine.') AS more,
           CASE iif(x.sent_bytes = 0, 'empty', o.verdict)
               WHEN 'empty' THEN 'Inconclusive: there is no message between ranks'
               WHEN 'slower' THEN o.name || ' is slower than ' || o.reference || ', ' || o.ratio
               WHEN 'faster' THEN o.name || ' is faster than ' || o.reference || ', ' || o.ratio
               WHEN 'same' THEN o.name || ' and ' || o.reference || ' differ by no more than 5 %, ' || o.ratio
               ELSE 'Inconclusive: ' || o.name || ' to ' || o.reference || ', ' || o.ratio || o.remark END || '.'
               AS sentence,
           CASE WHEN f.part IS NULL THEN 'no parts of a step are recorded.'
                WHEN NOT f.is_longer
                THEN 'not known; whole steps, to the last rank''s end, differ by ' || f.step
                     || iif(f.is_shorter, ': those of ' || x.name || ' are shorter.', ', which includes 0.')
                ELSE 'a step of ' || x.name || ' takes ' || f.step || ' longer; '
                     || iif(f.is_cause, 'its ' || f.part || ' takes ' || f.of_part || ' longer.',
                            'no recorded part has half of that.')
                     || CASE WHEN NOT f.is_cause OR f.part <> 'exchange' OR x.is_slow_network OR y.is_slow_network
                                 OR x.predicted_s <= y.predicted_s THEN ''
                             ELSE coalesce(' The model for network ' || substr(x.network_taken, 1, 24) || ' has '
                                           || told_time(x.predicted_s - y.predicted_s) || ' of it.', '') END END AS place,
           CASE WHEN NOT f.is_cause THEN NULL
                WHEN f.part = 'start'
                THEN 'ranks begin at different times, before the first message: the barrier or other load does that.'
                WHEN f.part = 'computation' THEN o.balance || '.'
                WHEN f.part = 'exchange'
                THEN CASE WHEN x.sent_bytes = y.sent_bytes
                          THEN 'both send the same bytes'
                               || CASE WHEN x.transfers = y.transfers THEN ' in ' || x.told_transfers
                                       WHEN x.transfers + y.transfers IS NULL THEN ''
                                       ELSE printf(', %s in %d transfers, %s in %d', x.name, x.transfers, y.name,
                                                   y.transfers) END
                          ELSE x.name || ' sends ' || x.told_sent || ', ' || y.name || ' ' || y.told_sent END
                     || CASE WHEN x.forwarded_bytes = y.forwarded_bytes THEN ''
                             ELSE printf(' (%s forwards by way of other ranks)',
                                         iif(x.forwarded_bytes > y.forwarded_bytes, x.name, y.name)) END
                     || CASE WHEN x.way = y.way THEN ''
                             ELSE '; ' || x.name || ' ' || x.way || '; ' || y.name || ' ' || y.way END
                     || iif(x.packs < y.packs, '; the packing of ' || x.name || ' is inside its exchange', '')
                     || coalesce('; an exchange waits for ranks that still compute: ' || o.balance, '')
                     || iif(x.oversubscribed, '; with more ranks than processors a waiting rank waits for a processor, too', '')
                     || '.'
                END AS differs,
           CASE WHEN x.workload = 'program' THEN '''nuce capture'' records the messages of an MPI program and their times.'
                WHEN NOT f.is_longer OR f.part = 'start' AND f.is_cause THEN 'more launches, on an idle machine.'
                WHEN f.part = 'computation' AND f.is_cause THEN NULL
                WHEN o.discipline = 'dynamic'
                THEN '''environment:'' below sweep: sets variables of the MPI library, such as the algorithm of a call; '
                     || '''nuce compare'' compares them.' || coalesce(' ' || told_nonblocking(o.ran_as) || '.', '')
                WHEN o.traced IS NOT NULL
                THEN '''nuce figure timeline --run ' || o.traced || ''' draws each transfer of one step of ' || o.name || '.'
                ELSE '''trace: true'' below measure: records each transfer of one step; ''nuce figure timeline --contenders '
                     || iif(instr(o.contender, ' ') > 0, '"' || o.contender || '"', o.contender) || ''' draws those of '
                     || o.name || '.'
                END
               AS next
    FROM paired AS o
    JOIN entered AS x ON x.race = o.race AND x.point = o.slow
    JOIN entered AS y ON y.race = o.race AND y.point = o.fast
    LEFT JOIN found AS f ON f.race = o.race AND f.point = o.point AND f.nth = 1
)
SELECT e.race,
       e.is_reference,
       (SELECT group_concat(key || ' ' || CASE WHEN type = 'null' THEN 'not set'
               WHEN instr(value, '@') > 0 THEN substr(value, 1, instr(value, '@') + 6) ELSE value END, ', ')
        FROM json_each(e.instance) WHERE key NOT IN ('seed', 'instance', 'overlap')) || ', ' || e.ranks
           || iif(e.ranks = 1, ' rank', ' ranks') AS problem,
       e.ranks,
       json_remove(e.instance, '$."item-bytes"', '$.elements', '$.factor', '$.to-block', '$.rows', '$.columns') AS panel,
       coalesce(json_extract(e.instance, '$.rows') * json_extract(e.instance, '$.columns'),
                e.sent_bytes - e.forwarded_bytes) AS size,
       e.name AS contender,
       iif(e.is_reference, '1 (reference)', told_ratio(e.ratio, e.ratio_low, e.ratio_high)) AS ratio,
       e.phases,
       e.transfers,
       told_bytes(e.sent_bytes) AS sent,
       e.last_rank,
       told_time(e.late_s) AS late,
       told_time(e.communication_s) AS communication,
       told_time(e.step_s) AS step,
       told_time(e.predicted_s) AS predicted,
       told_time(e.schedule_s) AS scheduling,
       p.sentence,
       iif(p.is_known, 'Where: ' || p.place, NULL) AS place,
       iif(p.is_known, 'Differs: ' || p.differs, NULL) AS differs,
       'Next: ' || iif(p.is_known, p.next, p.more) AS next
FROM entered AS e
JOIN answered AS p ON p.race = e.race AND (e.is_reference OR e.point = p.point);

-- Sentences that are equal in all races that have them, if these are several: in how many of how many.
CREATE TEMP TABLE shared AS
SELECT 1 AS place, max(differs) AS fact, count(differs) AS races, count(*) AS of
FROM explained
WHERE NOT is_reference
GROUP BY is_reference
HAVING min(differs) = max(differs) AND count(differs) > 1
UNION ALL
SELECT 2, max(next), count(next), count(*)
FROM explained
WHERE NOT is_reference
GROUP BY is_reference
HAVING min(next) = max(next) AND count(next) > 1;
