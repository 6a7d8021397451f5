-- What algorithms are compared on, for the verdicts: the communication, measured and simulated, of each
-- algorithm over the instances that all algorithms of a pattern, rank count and size have: those that most
-- of them have. s is the mean of the medians, place the algorithm's by it; of several runs of a point it is
-- the mean of their medians, each run counting once: pooled, the run with the most samples would decide,
-- and a machine that was slower in one launch could make the winner of every launch lose. single lists
-- the instances as JSON: [[instance, s, low, high, doubt], ...], low and high NULL without an interval;
-- doubt: BUSY, a launch behind it began on a machine with other work; else disagree, intervals of its runs
-- do not overlap.
WITH busy AS (
    SELECT DISTINCT r.point, r.kind
    FROM behind AS b
    JOIN run AS r ON r.campaign = b.campaign AND r.job = b.id
    WHERE b.busy AND r.status = 'ok'
),
runs AS (
    SELECT c.point, c.environment, c.kind, c.wait, avg(r.communication_s) AS s
    FROM chosen AS c
    JOIN pooled_run AS p ON p.point = c.point AND p.environment = c.environment AND p.kind = c.kind
        AND p.wait = c.wait
    JOIN run AS r ON r.id = p.run
    WHERE c.runs > 1
    GROUP BY c.point, c.environment, c.kind, c.wait
),
timed AS (
    SELECT iif(network = 'emulated' AND c.kind = 'measured', 'emulated', c.kind) AS kind, workload, mesh, partition, com, pattern,
           density, network, params, ranks, unit, contender, instance, coalesce(r.s, communication_s) AS communication_s,
           communication_low_s, communication_high_s, c.environment,
           CASE WHEN (c.point, c.kind) IN (SELECT point, kind FROM busy) THEN 'BUSY'
                WHEN disagree THEN 'disagree' END AS doubt
    FROM chosen AS c
    LEFT JOIN runs AS r ON r.point = c.point AND r.environment = c.environment AND r.kind = c.kind
        AND r.wait = c.wait
),
-- Of a file its name and the beginning of its hash.
named AS (
    SELECT kind,
           CASE workload
               WHEN 'redistribute' THEN printf('cyclic(%d)', params ->> '$.block')
                   || coalesce(', links of ' || (params ->> '$.bandwidth') || ' B/s', '')
                   || iif(params ->> '$.reverse', ', reversed', '')
               ELSE coalesce(iif(instr(mesh, '@') > 0, substr(mesh, 1, instr(mesh, '@') + 6), mesh)
                                 || ' ' || partition,
                             iif(instr(com, '@') > 0, substr(com, 1, instr(com, '@') + 6), com),
                             pattern || coalesce(' d = ' || density, ''))
               END
               || coalesce(', network ' || iif(instr(network, '@') > 0,
                                               substr(network, 1, instr(network, '@') + 6), network), '')
               AS pattern,
           CASE WHEN mesh IS NOT NULL THEN printf('%d mesh points', substr(mesh, 6))
                WHEN pattern = 'skewed' THEN 'skewed'
                WHEN density IS NOT NULL THEN printf('d = %d', density) END AS panel,
           ranks, unit, params ->> '$.elements' AS elements, params ->> '$.factor' AS factor,
           CASE workload
               WHEN 'redistribute' THEN (params ->> '$.elements') || ' elements to '
                   || coalesce('cyclic(' || (params ->> '$.to-block') || ')',
                               (params ->> '$.factor') || ' times the block')
               ELSE unit || ' B' END AS size,
           contender, instance, communication_s AS s, communication_low_s AS low,
           communication_high_s AS high, environment, doubt
    FROM timed
),
counted AS (
    SELECT kind, pattern, ranks, size, instance, count(*) AS contenders,
           max(count(*)) OVER (PARTITION BY kind, pattern, ranks, size) AS most
    FROM named
    GROUP BY kind, pattern, ranks, size, instance
),
shared AS (
    SELECT n.*
    FROM named AS n
    JOIN counted AS c ON c.kind = n.kind AND c.pattern = n.pattern AND c.ranks = n.ranks
        AND c.size IS n.size AND c.instance = n.instance
    WHERE c.contenders = c.most AND c.most > 1
)
SELECT kind, pattern, panel, ranks, size, unit, elements, factor, contender, count(*) AS instances,
       substr(max(environment), 1, 8) AS environment,
       avg(s) AS s,
       row_number() OVER (PARTITION BY kind, pattern, ranks, size ORDER BY avg(s), contender) AS place,
       json_group_array(json_array(instance, s, low, high, doubt)) AS single
FROM shared
GROUP BY kind, pattern, ranks, size, contender;
