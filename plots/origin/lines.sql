-- The lines below every table and figure: the origin of its rows, and the facts that a reader must know. They are
-- computed from the very rows that are shown (`chosen`, `left_out`, `behind`), so they are never out of date. A row
-- is a remark: its line, its place there, and the text, or NULL without a remark. The lines are where (machine and
-- software), what (quantity and certainty), doubts (reasons not to trust it), and left_out (omitted rows).

-- Machine and software, from the environments and jobs that kernels/run writes; missing values are omitted. hosts has
-- an entry a rank. Host and processor are those of the newest environment. MPI libraries are those of all
-- environments, because compared environments may differ in them.
CREATE TEMP TABLE origin AS
WITH measured_environment AS (SELECT environment, max(started) AS started FROM chosen
    WHERE kind = 'measured' GROUP BY environment),
ranked AS (SELECT environment, row_number() OVER (ORDER BY started DESC, environment) AS nth,
    told_library(json_extract(described, '$.mpi.library')) AS library
    FROM measured_environment JOIN environment ON id = environment),
libraries AS (SELECT library FROM ranked WHERE library IS NOT NULL GROUP BY library ORDER BY min(nth)),
newest AS (SELECT environment FROM ranked WHERE nth = 1),
hosts AS (SELECT DISTINCT value FROM behind, json_each(behind.facts, '$.hosts')
    WHERE environment IN newest),
facts AS (SELECT (SELECT min(value) FROM hosts) AS host, (SELECT count(*) FROM hosts) AS hosts,
    json_extract(described, '$.processor') AS processor FROM environment WHERE id IN newest),
measured AS (SELECT ranks, oversubscribed, n, runs, wait, stopped FROM chosen WHERE kind = 'measured'),
busy AS (SELECT count(*) AS jobs, max(others) AS others, max(processors) AS processors FROM behind WHERE busy),
counted AS (SELECT r.point, c.event, max(c.value IS NOT NULL) AS is_known
    FROM counter AS c CROSS JOIN run AS r ON r.id = c.run WHERE r.status = 'ok' -- CROSS: few have counters
    AND r.point IN (SELECT point FROM chosen WHERE kind = 'measured') GROUP BY 1, 2),
kinds (kind, nth) AS (VALUES ('measured', 1), ('simulated', 2), ('modelled', 3))

SELECT 'where' AS line, 1 AS place, (SELECT coalesce(host, 'unknown host')
    || CASE WHEN hosts > 1 THEN printf(' and %d more', hosts - 1) ELSE '' END
    || coalesce(', ' || processor, '')
    || coalesce(', ' || (SELECT group_concat(library, ' and ') FROM libraries), '')
    || (SELECT iif(count(*) = 1, ', environment ', ', environments ')
        || group_concat(substr(environment, 1, 8), ', ') FILTER (WHERE nth <= 3)
        || iif(count(*) > 3, printf(' and %d more', count(*) - 3), '')
        FROM (SELECT environment, nth FROM ranked ORDER BY nth))
    FROM facts) AS said

-- Platforms that are shown with the measured rows, or alone.
UNION ALL SELECT 'where', 2, (SELECT 'simulated: ' || library || ' on '
    || group_concat(platform || ' (environment '
        || substr(environment, 1, 8) || ')', ', ')
    || printf(', %d point%s', sum(points), iif(sum(points) = 1, '', 's')) || ', of networks that lose nothing'
    FROM (SELECT s.environment, coalesce(platform, 'an unnamed platform') AS platform,
        told_library(library) AS library, count(*) AS points
        FROM (SELECT environment FROM chosen WHERE kind = 'simulated') AS s
        JOIN (SELECT id, json_extract(described, '$.cluster.platform') AS platform,
            coalesce(json_extract(described, '$.mpi.library'), 'unknown') AS library FROM environment) AS e
        ON e.id = s.environment GROUP BY s.environment)
    GROUP BY NULL HAVING count(*) > 0)

-- Means of decompositions do not depend on a network.
UNION ALL SELECT 'where', 3, (SELECT 'modelled: the papers'' cost model'
    || coalesce(', network ' || group_concat(DISTINCT CASE WHEN network_taken IS NOT NULL THEN coalesce(network,
        (SELECT json_extract(described, '$.model.network') FROM environment AS e WHERE e.id = m.environment)) END), '')
    || printf(', %d point%s', count(*), iif(count(*) = 1, '', 's'))
    FROM chosen AS m WHERE kind = 'modelled' GROUP BY NULL HAVING count(*) > 0)

-- Numbers of ranks, samples and launches; a busy machine, or one with more ranks than processors; the end of
-- sampling; the pooled campaigns. OVERSUBSCRIBED and BUSY are in capitals, because they determine the value of the
-- times.
UNION ALL SELECT 'what', 1, (SELECT 'measured, ranks ' || (SELECT group_concat(ranks || mark, ', ')
        FROM (SELECT ranks, CASE WHEN max(oversubscribed) = 1 THEN ' OVERSUBSCRIBED' ELSE '' END AS mark
            FROM measured GROUP BY ranks ORDER BY ranks))
    || (SELECT iif(jobs = 0, '', printf(', BUSY (other load took up to %.1f of %d processors in %d of %d launch%s)', others,
        processors, jobs, (SELECT count(*) FROM behind), iif((SELECT count(*) FROM behind) = 1, '', 'es'))) FROM busy)
    || coalesce(', wait ' || group_concat(DISTINCT nullif(wait, '')), '')
    || CASE WHEN min(n) = max(n) THEN printf(', n = %d', min(n)) ELSE printf(', n = %d to %d', min(n), max(n)) END
    || ' samples in ' || iif(max(runs) = 1, 'one launch',
        iif(min(runs) = max(runs), max(runs), min(runs) || ' to ' || max(runs)) || ' launches')
    || coalesce(' (ended by ' || (SELECT group_concat(printf('%s at %d', CASE stopped
                WHEN 'known' THEN 'its result' WHEN 'budget' THEN 'the budget'
                WHEN 'most-launches' THEN 'the most launches' WHEN 'open' THEN 'nothing yet' ELSE stopped END,
            points), ', ')
        || iif(sum(points) = 1, ' point', ' points')
        FROM (SELECT stopped, count(*) AS points FROM measured WHERE stopped IS NOT NULL
            GROUP BY stopped ORDER BY stopped)) || ')', '')
    || ', medians with 95 % intervals' || iif(max(runs) = 1, ' of that launch alone', ' over launches') || ', '
    || (SELECT iif(count(*) = 1, 'campaign ' || min(campaign), count(*) || ' campaigns pooled: '
            || group_concat(campaign, ', ') FILTER (WHERE nth <= 8)
            || iif(count(*) > 8, printf(' and %d more', count(*) - 8), ''))
        FROM (SELECT campaign, row_number() OVER (ORDER BY campaign) AS nth
            FROM (SELECT DISTINCT campaign FROM behind)))
    FROM measured)

-- Points whose time was up before they had the requested number of samples.
UNION ALL SELECT 'doubts', 1, (SELECT printf('%d point%s fewer samples than were asked for: the time limit ended %s', n,
    iif(n = 1, ' has', 's have'), iif(n = 1, 'it', 'them'))
    FROM (SELECT sum(stopped = 'time-limit' AND n < runs * min_samples) AS n FROM chosen WHERE kind = 'measured') WHERE n > 0)

-- Points with requested event counts; a NULL is an event that could not be counted.
UNION ALL SELECT 'doubts', 2, (SELECT printf('%d point%s counted with PAPI and did not race', points,
    iif(points = 1, ' was', 's were')) || coalesce('; PAPI could not count ' || unknown, '')
    FROM (SELECT count(DISTINCT point) AS points, (SELECT group_concat(event, ', ')
        FROM (SELECT event FROM counted GROUP BY event HAVING max(is_known) = 0 ORDER BY event)) AS unknown
        FROM counted) WHERE points > 0)

-- A time below the bound of the true network is impossible, if counted from the common start, as the bound is: a late
-- rank finds its messages waiting. So the assumed network is not the machine's. A network that was measured between
-- these hosts can be measured again.
UNION ALL SELECT 'doubts', 3, (SELECT printf('%d of %d points %s below lower_bound_s: the machine is faster than'
        || ' its assumed network (%s), so predictions and schedules for that network do not fit it%s', below, points,
        iif(below = 1, 'is', 'are'),
        substr(taken, 1, instr(taken || '@', '@') - 1), iif(measured, '; nuce-calibrate links measures it again', ''))
    FROM (SELECT sum(is_below) AS below, count(*) AS points,
            min(iif(is_below, coalesce(network, network_taken), NULL)) AS taken,
            max(is_below AND network = 'measured') AS measured
        FROM (SELECT network, network_taken,
                time_s < lower_bound_s AND coalesce(from_start_s, time_s) < lower_bound_s AS is_below
            FROM chosen WHERE kind = 'measured' AND lower_bound_s > 0 AND time_s IS NOT NULL))
    WHERE below > 0)

-- Contenders that raced with those shown, by the model, but without a modelled time: for example, messages that are
-- ordered at run time. Without this remark the fastest of the others would pass for the fastest of all.
UNION ALL SELECT 'doubts', 4, (SELECT 'the model has no time of '
    || group_concat(printf('%s (%d point%s)', contender, points, iif(points = 1, '', 's')), ', ')
    FROM (SELECT contender, count(*) AS points FROM result
        WHERE kind = 'modelled' AND predicted_s IS NULL AND contender IS NOT NULL
        AND campaign IN (SELECT campaign FROM chosen WHERE kind = 'modelled' AND predicted_s IS NOT NULL)
        GROUP BY contender ORDER BY contender)
    GROUP BY NULL HAVING count(*) > 0)

-- Instances without a message, beside others of their panel and size that have some (tables/panels.sql).
UNION ALL SELECT 'doubts', 5, (SELECT printf('%d point%s without a message between ranks %s not shown', n,
    iif(n = 1, '', 's'), iif(n = 1, 'is', 'are'))
    FROM (SELECT count(DISTINCT point) AS n FROM panel_rows
        WHERE is_empty AND point NOT IN (SELECT point FROM panels)) WHERE n > 0)

-- Collectives of the library that were another function than their name says.
UNION ALL SELECT 'doubts', 0, (SELECT told_nonblocking(group_concat(ran_as, ', '))
    FROM (SELECT DISTINCT ran_as FROM chosen WHERE kind = 'measured' AND ran_as IS NOT NULL ORDER BY ran_as)
    GROUP BY NULL HAVING count(*) > 0)

-- Rows of the newest row's campaign: the table may need rows that are still to come.
UNION ALL SELECT 'doubts', 5 + nth, (SELECT printf('campaign %s has %d of its %d points', id, have, points)
    FROM (SELECT id, points, (SELECT count(DISTINCT point) FROM run WHERE campaign = c.id AND status = 'ok') AS have
        FROM campaign AS c WHERE id = (SELECT campaign FROM chosen WHERE kind = kinds.kind
            ORDER BY started DESC, campaign LIMIT 1))
    WHERE have < points) FROM kinds

-- Number of points of a kind in other environments.
UNION ALL SELECT 'left_out', nth, (SELECT printf('not shown: %d point%s %s in environment %s%s', count(*),
        iif(count(*) = 1, '', 's'), kinds.kind, substr(min(environment), 1, 8),
        CASE WHEN count(DISTINCT environment) > 1 THEN printf(' and %d more', count(DISTINCT environment) - 1) ELSE '' END)
    FROM left_out WHERE kind = kinds.kind GROUP BY NULL HAVING count(*) > 0)
FROM kinds WHERE kind <> 'modelled';
