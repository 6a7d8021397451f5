-- The rows of `panel_times`, each with the name of its panel (`name` and `told`) and of its size (panels.sql).
-- An instance without its number and its size, and the part of it that names its panel.
WITH problems AS (
    SELECT DISTINCT instance,
           json_remove(instance, '$.instance', '$.seed', '$."item-bytes"', '$.elements', '$.factor',
                       '$.to-block', '$.rows', '$.columns')
               AS problem,
           json_extract(instance, '$.mesh') AS mesh,
           coalesce(json_extract(instance, '$.com'), json_extract(instance, '$.capture')) AS com,
           json_extract(instance, '$.call') AS call
    FROM panel_times
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
    FROM (SELECT DISTINCT workload, instance FROM panel_times) AS t
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
          FROM (SELECT DISTINCT workload, instance FROM panel_times) AS t
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
    FROM panel_times
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
    FROM panel_times AS t
    JOIN ways AS w ON w.instance = t.instance
    GROUP BY t.workload, w.way
)
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
