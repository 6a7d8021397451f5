-- The panel and the size of each row of `chosen`, for `quick`: a row for each. A panel is an instance without its
-- size, named by the parameters that distinguish it from the other panels of its workload. size is the unit of an
-- exchange, elements and target of a redistribution, or the cells of a stencil. An exchange without a unit has its
-- mean message as size, and at says so; a captured one uses the application's own messages, not the sums of pairs. at
-- is the size in readable form, after size_of. x is the size in bytes: the unit, the mean message of a
-- redistribution, a stencil's array. If all redistributions have the same number of elements, the panel has it.
-- contender is named by the options that its sweep compares. is_empty: it has no message between ranks; such a row is
-- omitted if others of its panel and size have some. messages, bytes and longest_bytes are those of its pattern
-- between different ranks (longest_bytes NULL if ranks have messages to themselves). too_short: a step takes no
-- longer than the uncertainty of its start. s is the compared time, seconds (the predicted one if it is modelled).
-- For several patterns of a capture there is one more panel. It has the contenders that raced on all patterns with
-- long enough steps, with each pattern as often as the application made it, one call after the other. calls is that
-- number there, and NULL elsewhere. weight turns a mean over the patterns into their sum over all calls, and is 1
-- elsewhere. unit is that of a program's metric, NULL for a time; is_rate: s is its inverse.
WITH timed AS (
    SELECT kind, workload, contender_name(contender, params, compared) AS contender, ranks, params,
           CASE WHEN compared IS NULL THEN instance
                ELSE (SELECT json_group_object(key, value) FROM json_each(params)
                      WHERE key NOT IN (SELECT value FROM json_each(compared))) END AS instance,
           started, environment, wait, point, n, coalesce(too_short, 0) AS too_short,
           stopped = 'time-limit' AND n < min_samples AS few,
           messages = coalesce(json_extract(metrics, '$.self_messages'), 0) AS is_empty,
           CAST(round(coalesce(1.0 * bytes / nullif(json_extract(metrics, '$.captured_messages'), 0),
                               1.0 * (bytes - coalesce(json_extract(metrics, '$.self_bytes'), 0))
                               / max(messages - coalesce(json_extract(metrics, '$.self_messages'), 0), 1))) AS INTEGER) AS message,
           messages - coalesce(json_extract(metrics, '$.self_messages'), 0) AS messages,
           bytes - coalesce(json_extract(metrics, '$.self_bytes'), 0) AS bytes,
           iif(json_extract(metrics, '$.self_messages') > 0, NULL, longest_bytes) AS longest_bytes, lower_bound_s, predicted_s,
           from_start_s, schedule_s, phases, json_extract(metrics, '$.captured_calls') AS made,
           -- of a program's metric that is not a time
           CASE WHEN workload = 'program'
                     AND (json_extract(params, '$.metric') <> 'wall' OR json_extract(params, '$.series') IS NOT NULL)
                     AND coalesce(json_extract(params, '$.unit'), '') NOT IN ('s', 'ms', 'us', 'ns', 'min', 'h')
                THEN trim(' ' || coalesce(json_extract(params, '$.unit'), ''))
                END AS unit,
           json_extract(params, '$.better') = 'higher' AS is_rate,
           'not exact: ' || nullif(json_extract(metrics, '$.captured_quality'), 'exact') AS quality,
           json_extract(metrics, '$.captured_library') AS library,
           iif(kind = 'modelled', predicted_s,
               CASE criterion WHEN 'step' THEN step_s WHEN 'own' THEN own_s ELSE communication_s END) AS s,
           CASE criterion WHEN 'step' THEN step_low_s WHEN 'own' THEN own_low_s ELSE communication_low_s END
               AS low_s,
           CASE criterion WHEN 'step' THEN step_high_s WHEN 'own' THEN own_high_s ELSE communication_high_s END
               AS high_s
    FROM chosen
),
-- An instance without its number and its size, and the part of it that names its panel.
problems AS (
    SELECT DISTINCT instance,
           json_remove(instance, '$.instance', '$.seed', '$."item-bytes"', '$.elements', '$.factor',
                       '$.to-block', '$.rows', '$.columns')
               AS problem,
           json_extract(instance, '$.mesh') AS mesh,
           coalesce(json_extract(instance, '$.com'), json_extract(instance, '$.capture')) AS com,
           json_extract(instance, '$.call') AS call
    FROM timed
),
-- For a file, its name and the beginning of its hash.
files AS (
    SELECT instance, problem,
           iif(instr(mesh, '@') > 0, substr(mesh, 1, instr(mesh, '@') + 6), mesh) AS mesh,
           -- Beside the dual graph of a mesh, its nodal one is named too.
           coalesce(' ' || json_extract(problem, '$.graph'),
                    iif(max(json_extract(problem, '$.graph')) OVER (PARTITION BY mesh) IS NULL, '', ' nodal')) AS graph,
           iif(instr(com, '@') > 0, substr(com, 1, instr(com, '@') + 6), com) AS com, call
    FROM problems
),
-- Parameters that distinguish problems; a variable of the environment may be unset.
told AS (
    SELECT t.workload, p.problem, k.key,
           CASE WHEN k.type = 'null' THEN 'not set'
                WHEN instr(k.value, '@') > 0 THEN substr(k.value, 1, instr(k.value, '@') + 6) ELSE k.value END AS value
    FROM (SELECT DISTINCT workload, instance FROM timed) AS t
    JOIN problems AS p ON p.instance = t.instance
    JOIN json_each(p.problem) AS k
    WHERE k.key NOT IN ('pattern', 'degree', 'mesh', 'graph', 'partition', 'com', 'capture', 'call', 'overlap', 'block', 'iterations',
                        'emulate-speeds', 'at')
      AND NOT (k.key = 'weights' AND k.value = coalesce(json_extract(p.problem, '$.emulate-speeds'), ''))
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
sized AS (
    SELECT *, CASE workload
               WHEN 'redistribute' THEN message
               WHEN 'stencil' THEN json_extract(params, '$.rows') * json_extract(params, '$.columns')
                   * iif(json_extract(params, '$.element') = 'float', 4, 8)
               ELSE coalesce(json_extract(params, '$."item-bytes"'), message) END AS x,
           iif(workload = 'redistribute'
               AND min(json_extract(params, '$.elements')) OVER same = max(json_extract(params, '$.elements')) OVER same,
               json_extract(params, '$.elements'), NULL) AS all_elements
    FROM timed
    WINDOW same AS (PARTITION BY workload)
),
-- Environments are named if several started their ranks in the same way; otherwise the way distinguishes them.
ways AS (
    SELECT instance,
           (SELECT group_concat(key || '=' || coalesce(value, ''), ' ') FROM json_each(problem)
            WHERE key IN ('mpi', 'nodes', 'ntasks-per-node') OR key GLOB '[A-Z_]*') AS way
    FROM problems
),
several AS (
    SELECT t.workload, w.way, count(DISTINCT t.environment) FILTER (WHERE t.kind = 'measured') > 1 AS several
    FROM timed AS t
    JOIN ways AS w ON w.instance = t.instance
    GROUP BY t.workload, w.way
),
named AS (
    SELECT t.point, t.kind, t.environment, t.wait, t.instance, t.contender, t.ranks, t.started, t.n, t.few,
           t.s, t.low_s, t.high_s, t.x, t.workload, t.is_empty, t.too_short, t.messages, t.bytes, t.longest_bytes,
           t.lower_bound_s, t.predicted_s, t.from_start_s, t.schedule_s, t.phases, t.made, t.quality, t.unit, t.is_rate,
           f.com AS capture,
           CASE t.workload
               WHEN 'exchange' THEN 'exchange '
                   || coalesce(f.mesh || f.graph || coalesce(' ' || json_extract(params, '$.partition'), ''), f.com || coalesce(' call ' || f.call, ''),
                               json_extract(params, '$.pattern')
                                   || coalesce(' d = ' || json_extract(params, '$.degree'), ''))
                   || coalesce(' (' || coalesce(quality || ', of ' || library, quality, 'of ' || library) || ')', '')
               WHEN 'redistribute' THEN printf('redistribute cyclic(%d)', json_extract(params, '$.block'))
                   || coalesce(', ' || all_elements || ' elements', '')
               WHEN 'program' THEN 'program' || coalesce(', row ' || json_extract(params, '$.at'), '')
               ELSE t.workload || coalesce(', ' || json_extract(params, '$.iterations') || ' iterations', '')
                   || coalesce(', ranks slowed to speeds ' || json_extract(params, '$.emulate-speeds'), '')
               END
               || CASE WHEN json_extract(params, '$.overlap') THEN ' overlapped' ELSE '' END AS name,
           coalesce(l.label, '') || iif(t.workload = 'program' AND t.ranks = 1, '', ', ' || t.ranks || iif(t.ranks = 1, ' rank', ' ranks'))
               || iif(t.kind = 'measured', iif(e.several, ', environment ' || substr(t.environment, 1, 8), ''),
                      ', ' || t.kind) AS told,
           coalesce(CASE t.workload
               WHEN 'redistribute' THEN json_extract(params, '$.elements') || ' elements to '
                   || coalesce('cyclic(' || json_extract(params, '$.to-block') || ')',
                               json_extract(params, '$.factor') || ' times the block')
               WHEN 'stencil' THEN json_extract(params, '$.rows') || ' x ' || json_extract(params, '$.columns')
               ELSE coalesce(json_extract(params, '$."item-bytes"'), message) END, '') AS size,
           CASE WHEN t.workload = 'exchange' AND json_extract(params, '$."item-bytes"') IS NOT NULL THEN 'item-bytes '
                WHEN t.workload <> 'redistribute' THEN ''
                WHEN all_elements IS NULL THEN 'elements ' ELSE 'blocks ' END AS size_of,
           CASE t.workload
               WHEN 'redistribute' THEN
                   coalesce(iif(all_elements IS NULL, json_extract(params, '$.elements') || ', blocks ', NULL), '')
                   || coalesce('of ' || json_extract(params, '$.to-block'), 'x' || json_extract(params, '$.factor'))
               WHEN 'stencil' THEN json_extract(params, '$.rows') || ' x ' || json_extract(params, '$.columns')
               ELSE CASE WHEN t.workload = 'exchange' AND json_extract(params, '$."item-bytes"') IS NULL
                         THEN 'mean message ' || told_bytes(message)
                         WHEN x >= 1048576 AND x % 1048576 = 0 THEN (x / 1048576) || ' MiB'
                         WHEN x >= 1024 AND x % 1024 = 0 THEN (x / 1024) || ' KiB'
                         ELSE CAST(round(x) AS INTEGER) || ' B' END END AS at
    FROM sized AS t
    JOIN files AS f ON f.instance = t.instance
    JOIN ways AS w ON w.instance = t.instance
    JOIN several AS e ON e.workload = t.workload AND e.way IS w.way
    LEFT JOIN labels AS l ON l.workload = t.workload AND l.problem = f.problem
),
-- Patterns of a capture that have messages and long enough steps for all contenders on them. Otherwise a contender
-- would have less to do than the others, or no reference.
told_patterns AS (
    SELECT capture, told, instance
    FROM named
    WHERE made IS NOT NULL
    GROUP BY capture, told, instance
    HAVING NOT max(is_empty) AND NOT max(too_short)
),
whole AS (
    SELECT n.*
    FROM named AS n
    JOIN told_patterns AS t ON t.capture = n.capture AND t.told = n.told AND t.instance = n.instance
),
-- The same, under one contender.
called AS (
    SELECT capture, told, contender, count(DISTINCT instance) AS patterns,
           count(DISTINCT instance) FILTER (WHERE quality IS NOT NULL) AS inexact, sum(made) AS made
    FROM whole
    GROUP BY capture, told, contender
),
applications AS (
    SELECT c.*, printf('%d calls', made) AS calls
    FROM called AS c
    WHERE patterns = (SELECT max(w.patterns) FROM called AS w WHERE w.capture = c.capture AND w.told = c.told)
      AND patterns > 1
)
SELECT point, kind, environment, wait, instance, contender, ranks, started, n, few, s, low_s, high_s, x,
       workload, is_empty, too_short, messages, bytes, longest_bytes, lower_bound_s, predicted_s, from_start_s,
       schedule_s, phases, name || told AS panel, size, size_of, at, NULL AS calls, 1 AS weight, unit, is_rate
FROM (SELECT *, min(coalesce(is_empty, 0)) OVER (PARTITION BY name, told, size) AS are_all_empty FROM named)
WHERE are_all_empty
   OR is_empty IS NOT 1
UNION ALL
SELECT s.point, s.kind, s.environment, s.wait, s.capture, s.contender, s.ranks, s.started, s.n, s.few, s.s,
       NULL, NULL, a.made, s.workload, 0, 0, s.messages, s.bytes, s.longest_bytes, s.lower_bound_s, s.predicted_s,
       s.from_start_s, s.schedule_s, s.phases,
       printf('exchange %s, its %d patterns', s.capture, a.patterns)
           || iif(a.inexact = 0, '', printf(' (%d not exact)', a.inexact)) || s.told, a.calls, '', a.calls, s.made,
       s.made * a.patterns, NULL, 0
FROM whole AS s
JOIN applications AS a ON a.capture = s.capture AND a.told = s.told AND a.contender = s.contender;
