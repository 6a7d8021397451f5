-- Runs that are dropped from `compared` are counted, as `told` (name, value): an uncompared run must not pass for
-- equal. The remaining runs are of one kind and ended well. Then instances are distinguished, and points are matched.
CREATE TEMP TABLE told (name TEXT PRIMARY KEY, value);
INSERT INTO told
SELECT 'other kind', count(*) FILTER (WHERE compared.kind <> asked.kind) FROM asked, compared
UNION ALL SELECT 'not ok ' || s.side, count(run) FROM (SELECT 0 AS side UNION ALL SELECT 1) AS s
    LEFT JOIN compared AS c ON c.side = s.side AND c.kind = (SELECT kind FROM asked)
        AND c.status NOT IN ('ok', 'interrupted') GROUP BY s.side
UNION ALL SELECT 'interrupted ' || s.side, count(run) FROM (SELECT 0 AS side UNION ALL SELECT 1) AS s
    LEFT JOIN compared AS c ON c.side = s.side AND c.kind = (SELECT kind FROM asked)
        AND c.status = 'interrupted' GROUP BY s.side;
DELETE FROM compared WHERE kind <> (SELECT kind FROM asked) OR status <> 'ok';

-- Some rows differ visibly only in environment or wait policy. That becomes a parameter of the problem, so that a
-- reader sees the difference.
UPDATE compared SET problem = json_set(problem, '$.environment', substr(environment, 1, 8))
WHERE (SELECT max(several) FROM (SELECT count(DISTINCT coalesce(environment, '')) AS several FROM compared
    GROUP BY workload, ranks, problem, contender)) > 1;
UPDATE compared SET problem = json_set(problem, '$.wait', coalesce(wait, 'unknown'))
WHERE (SELECT max(several) FROM (SELECT count(DISTINCT coalesce(wait, '')) AS several FROM compared
    GROUP BY workload, ranks, problem, contender)) > 1;

-- Instances are named by the parameters in which they differ, and by no others. Usually two or three of a point's
-- twenty parameters differ; a table of all would be unreadable.
--
-- The parameters of the problems, with the places of their values among all values of that key. Numbers are ordered
-- as numbers. A file's SHA-256 after its name is cut to eight digits, as text.
CREATE TEMP TABLE compared_problem AS SELECT DISTINCT workload, problem FROM compared;
CREATE TEMP TABLE parameter AS SELECT p.workload, p.problem, e.key,
    CASE WHEN e.type IN ('true', 'false') THEN e.type
        WHEN substr(e.value, -65, 1) = '@' THEN substr(e.value, 1, length(e.value) - 56)
        ELSE CAST(e.value AS TEXT) END AS text,
    dense_rank() OVER (PARTITION BY e.key ORDER BY e.value COLLATE by_number) AS place
FROM compared_problem AS p, json_each(p.problem) AS e;
CREATE INDEX temp.parameter_by_problem ON parameter (problem, workload);

-- The keys in which problems of a workload differ, and those of them that are shown. A key with one value wherever it
-- occurs is not shown if the others distinguish the problems.
CREATE TEMP TABLE telling AS SELECT key, max(varied) AS varied FROM
    (SELECT key, count(DISTINCT place) > 1 AS varied FROM parameter AS p GROUP BY workload, key
    HAVING varied OR count(*) < (SELECT count(*) FROM compared_problem AS c WHERE c.workload = p.workload))
GROUP BY key;
CREATE TEMP TABLE shown AS SELECT key FROM telling WHERE varied
    OR (SELECT count(*) FROM compared_problem) >
    (SELECT count(*) FROM (SELECT DISTINCT workload, (SELECT group_concat(key || ' ' || place)
        FROM (SELECT p.key, p.place FROM parameter AS p JOIN telling AS t ON t.key = p.key
            WHERE p.problem = c.problem AND p.workload = c.workload AND t.varied ORDER BY p.key))
        FROM compared_problem AS c))
ORDER BY key;

-- A row for each workload and problem. It has `instance` for programs ("pattern=uniform item-bytes=64"), `described`
-- for people ("pattern uniform, item-bytes 64"), `cells` below the shown keys, null for a parameter that the problem
-- lacks, and the sort key.
CREATE TEMP TABLE instance AS SELECT c.workload, c.problem,
    coalesce((SELECT group_concat(key || '=' || value, ' ') FROM json_each(c.problem)
        WHERE key IN (SELECT key FROM telling)), '') AS instance,
    coalesce((SELECT group_concat(s.key || ' ' || p.text, ', ') FROM shown AS s
        JOIN parameter AS p ON p.problem = c.problem AND p.workload = c.workload AND p.key = s.key), '') AS described,
    (SELECT json_group_array(p.text) FROM shown AS s LEFT JOIN parameter AS p
        ON p.problem = c.problem AND p.workload = c.workload AND p.key = s.key) AS cells,
    coalesce((SELECT group_concat(printf('%08d', coalesce(p.place, 0))) FROM shown AS s LEFT JOIN parameter AS p
        ON p.problem = c.problem AND p.workload = c.workload AND p.key = s.key), '') AS place
FROM compared_problem AS c;

-- The points that both sides have, and the compared part of a step: the requested part, else the part that raced.
-- Modelled points have only communication.
CREATE TEMP TABLE matched AS SELECT c.match,
    coalesce((SELECT coalesce(part, iif(kind = 'modelled', 'communication', NULL)) FROM asked),
        CASE WHEN count(r.criterion) = count(*) AND min(r.criterion) = max(r.criterion) THEN min(r.criterion)
            WHEN count(r.communication_s) = count(*) THEN 'communication' ELSE 'step' END) AS part,
    0 AS untimed
FROM compared AS c JOIN run AS r ON r.id = c.run GROUP BY c.match HAVING count(DISTINCT c.side) = 2;
