-- title: Communication time by algorithm, ms: median [95 % interval], over several instances the mean of their medians, which has none; the 24 newest panels
-- sweep: quick
-- rows: contender IS NOT NULL AND placement IS NULL AND (communication_s IS NOT NULL OR (kind = 'modelled' AND predicted_s IS NOT NULL))
-- apart: workload ranks mesh partition pattern com density overlap
-- panel: panel
-- series: contender
-- style: style
-- pivot: contender
-- cells: median_ms
-- data: kind x ms predicted_ms low_ms high_ms n
-- size: 1200x700
--
-- Whatever there is: a panel for each instance but for the size, with what tells it from the other
-- panels of its workload; the twelve most recent first (a figure has no more, nuce show points has all).
-- A row is over the instances of a random pattern that all its algorithms have; where they have none in common, over
-- those of the instance that most of them have. n is the least number of samples of an instance; it is
-- shown where the limit ended one before the least that was asked for. size: the unit of an exchange
-- in bytes (of one without a unit, its mean message), elements and target of a redistribution, the cells
-- of a stencil. x is that in bytes: the unit, the mean message of a redistribution, a stencil's array. A
-- stencil has a panel of its halo and one of the whole sample.
WITH timed AS (
    SELECT kind, workload, contender, ranks, params, instance, started, environment, n,
           stopped = 'limit' AND n < min_samples AS few, disagree, bytes / max(messages, 1) AS message,
           CASE WHEN workload = 'stencil' THEN 'halo and waiting of ' END AS part,
           time_s AS s, communication_low_s AS low_s, communication_high_s AS high_s
    FROM chosen
    UNION ALL
    SELECT kind, workload, contender, ranks, params, instance, started, environment, n,
           stopped = 'limit' AND n < min_samples, disagree, NULL, 'all of ', step_s, step_low_s, step_high_s
    FROM chosen
    WHERE workload = 'stencil' AND kind = 'measured'
),
-- An instance without its number and its size, and of that what its panel is called by.
problems AS (
    SELECT DISTINCT instance,
           json_remove(instance, '$.instance', '$.seed', '$.unit', '$.elements', '$.factor',
                       '$.to-block', '$.rows', '$.columns')
               AS problem,
           instance ->> '$.mesh' AS mesh,
           instance ->> '$.com' AS com
    FROM timed
),
-- Of a file its name and the beginning of its hash.
files AS (
    SELECT instance, problem,
           iif(instr(mesh, '@') > 0, substr(mesh, 1, instr(mesh, '@') + 6), mesh) AS mesh,
           iif(instr(com, '@') > 0, substr(com, 1, instr(com, '@') + 6), com) AS com
    FROM problems
),
told AS (
    SELECT t.workload, p.problem, k.key,
           iif(instr(k.value, '@') > 0, substr(k.value, 1, instr(k.value, '@') + 6), k.value) AS value
    FROM (SELECT DISTINCT workload, instance FROM timed) AS t
    JOIN problems AS p ON p.instance = t.instance
    JOIN json_each(p.problem) AS k
    WHERE k.key NOT IN ('pattern', 'density', 'mesh', 'partition', 'com', 'overlap', 'block', 'iterations')
    GROUP BY t.workload, p.problem, k.key
),
telling AS (
    SELECT a.workload, a.key
    FROM told AS a
    JOIN (SELECT t.workload, count(DISTINCT p.problem) AS problems
          FROM (SELECT DISTINCT workload, instance FROM timed) AS t
          JOIN problems AS p ON p.instance = t.instance
          GROUP BY t.workload) AS w ON w.workload = a.workload
    GROUP BY a.workload, a.key
    HAVING count(DISTINCT a.value) > 1
        OR count(*) < max(w.problems)
),
labels AS (
    SELECT workload, problem, group_concat(', ' || key || ' ' || value, '') AS label
    FROM (SELECT a.* FROM told AS a JOIN telling AS t ON t.workload = a.workload AND t.key = a.key
          ORDER BY a.key)
    GROUP BY workload, problem
),
named AS (
    SELECT t.*,
           CASE t.workload
               WHEN 'exchange' THEN 'exchange '
                   || coalesce(f.mesh || ' ' || (params ->> '$.partition'), f.com,
                               (params ->> '$.pattern')
                                   || coalesce(' d = ' || (params ->> '$.density'), ''))
               WHEN 'redistribute' THEN printf('redistribute cyclic(%d)', params ->> '$.block')
               ELSE t.workload
                   || coalesce(', ' || part || (params ->> '$.iterations') || ' iterations', '')
               END
               || CASE WHEN params ->> '$.overlap' THEN ' overlapped' ELSE '' END
               || coalesce(l.label, '') || ', ' || t.ranks || ' ranks'
               || iif(t.kind = 'measured', '', ', ' || t.kind) AS panel,
           CASE t.workload
               WHEN 'redistribute' THEN (params ->> '$.elements') || ' elements to '
                   || coalesce('cyclic(' || (params ->> '$.to-block') || ')',
                               (params ->> '$.factor') || ' times the block')
               WHEN 'stencil' THEN (params ->> '$.rows') || ' x ' || (params ->> '$.columns')
               ELSE coalesce(params ->> '$.unit', message) END AS size,
           CASE t.workload
               WHEN 'redistribute' THEN message
               WHEN 'stencil' THEN (params ->> '$.rows') * (params ->> '$.columns')
                   * iif(params ->> '$.element' = 'float', 4, 8)
               ELSE coalesce(params ->> '$.unit', message) END AS x
    FROM timed AS t
    JOIN files AS f ON f.instance = t.instance
    LEFT JOIN labels AS l ON l.workload = t.workload AND l.problem = f.problem
),
recent AS (
    SELECT panel, row_number() OVER (ORDER BY max(started) DESC, panel) AS place
    FROM named
    GROUP BY panel
),
-- The algorithms that each instance has, as one text.
measured AS (
    SELECT panel, size, instance, count(*) AS contenders,
           group_concat(contender, ' ') AS names
    FROM (SELECT panel, size, instance, contender FROM named ORDER BY contender)
    GROUP BY panel, size, instance
),
widest AS (
    SELECT panel, size, names,
           row_number() OVER (PARTITION BY panel, size
                              ORDER BY contenders DESC, instance) AS place
    FROM measured
),
means AS (
    SELECT d.panel, d.size, d.contender, d.kind, d.x, d.environment,
           count(*) AS instances,
           nullif(min(d.n), 0) AS n,
           max(d.few) AS few,
           max(d.disagree) AS disagree,
           1000 * avg(d.s) AS ms,
           CASE WHEN count(*) = 1 THEN 1000 * min(d.low_s) END AS low_ms,
           CASE WHEN count(*) = 1 THEN 1000 * min(d.high_s) END AS high_ms,
           max(d.ranks) AS ranks
    FROM widest AS w
    JOIN measured AS m ON m.panel = w.panel AND m.size IS w.size AND m.names = w.names
    JOIN named AS d ON d.panel = m.panel AND d.size IS m.size AND d.instance = m.instance
    WHERE w.place = 1
    GROUP BY d.panel, d.size, d.contender
)
SELECT m.panel,
       m.size,
       m.instances,
       substr(m.environment, 1, 8) AS environment,
       m.contender,
       CASE WHEN m.low_ms IS NULL OR m.kind <> 'measured' THEN printf('%.4g', m.ms)
            ELSE printf('%.4g [%.4g %.4g]', m.ms, m.low_ms, m.high_ms)
       END || CASE WHEN m.few THEN printf(' (n = %d)', m.n) ELSE '' END
           || CASE WHEN m.disagree THEN ' runs disagree' ELSE '' END AS median_ms,
       m.kind,
       m.x,
       CASE WHEN m.kind <> 'modelled' THEN m.ms END AS ms,
       CASE WHEN m.kind = 'modelled' THEN m.ms END AS predicted_ms,
       m.low_ms,
       m.high_ms,
       m.n,
       a.place AS style
FROM means AS m
JOIN recent AS r ON r.panel = m.panel
LEFT JOIN contenders AS a ON a.name = m.contender
WHERE r.place <= 24
ORDER BY r.place > 12, m.ranks, m.panel, a.place IS NULL, a.place, m.contender, m.x, m.size;
