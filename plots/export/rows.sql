-- The results of the campaign to which the store is narrowed, for `nuce export --format bencher` and `openmetrics`: a
-- row for each median and each ratio to a race's reference, with its interval, as `exported`. measure: 'median'
-- (seconds), 'metric' (in unit, of a program's number that is not a time) or 'ratio'. instance has the parameters in
-- which the campaign's problems differ, problem all of them but the folder of a program.
CREATE TEMP TABLE exported_problem AS SELECT DISTINCT workload, problem FROM point WHERE id IN (SELECT point FROM run);
CREATE TEMP TABLE exported_word AS SELECT p.workload, p.problem, e.key,
    e.key || '=' || iif(substr(e.value, -65, 1) = '@', substr(e.value, 1, length(e.value) - 65), e.value) AS word,
    e.key IN (SELECT k.key FROM exported_problem AS o, json_each(o.problem) AS k
        WHERE o.workload = p.workload GROUP BY k.key HAVING count(DISTINCT k.value) > 1
        OR count(*) < (SELECT count(*) FROM exported_problem AS c WHERE c.workload = p.workload)) AS differs
FROM exported_problem AS p, json_each(p.problem) AS e
ORDER BY p.workload, p.problem, e.key;
CREATE TEMP TABLE exported_instance AS SELECT workload, problem AS id,
    coalesce(group_concat(iif(differs, word, NULL), ' '), '') AS instance,
    coalesce(group_concat(iif(differs OR workload <> 'program' OR key <> 'directory', word, NULL), ' '), '') AS problem
FROM (SELECT p.workload, p.problem, w.key, w.word, w.differs
    FROM exported_problem AS p LEFT JOIN exported_word AS w ON w.workload = p.workload AND w.problem = p.problem
    ORDER BY p.workload, p.problem, w.key)
GROUP BY workload, id;

-- The compared part of each point, with its interval over the samples.
CREATE TEMP TABLE exported_median AS SELECT *,
    coalesce(json_extract(params, '$.unit'), iif(workload = 'program' AND
        (json_extract(params, '$.metric') <> 'wall' OR json_extract(params, '$.series') IS NOT NULL), '', 's')) AS unit,
    json_extract(params, '$.better') = 'higher' AS is_rate
FROM (SELECT point, environment, kind, wait, workload, params,
        CASE part WHEN 'communication' THEN coalesce(communication_s, predicted_s) WHEN 'own' THEN own_s ELSE step_s END AS value,
        CASE part WHEN 'communication' THEN communication_low_s WHEN 'own' THEN own_low_s ELSE step_low_s END AS low,
        CASE part WHEN 'communication' THEN communication_high_s WHEN 'own' THEN own_high_s ELSE step_high_s END AS high
    FROM (SELECT *, coalesce(criterion, iif(communication_s IS NOT NULL OR kind = 'modelled', 'communication', 'step')) AS part
        FROM result));
CREATE TEMP TABLE exported AS SELECT p.workload, p.ranks, p.contender, i.instance, i.problem, v.environment, v.kind, v.wait,
    v.measure, v.unit, v.value, v.low, v.high
FROM (SELECT point, environment, kind, wait, 'median' AS measure, 's' AS unit, value, low, high FROM exported_median
        WHERE unit IN ('s', 'ms', 'us', 'ns', 'min', 'h')
    UNION ALL SELECT point, environment, kind, wait, 'metric', unit, iif(is_rate, 1 / value, value),
        iif(is_rate, 1 / high, low), iif(is_rate, 1 / low, high) FROM exported_median
        WHERE unit NOT IN ('s', 'ms', 'us', 'ns', 'min', 'h')
    UNION ALL SELECT point, environment, kind, wait, 'ratio', 'ratio', ratio, ratio_low, ratio_high FROM ratio
        WHERE contender = 'contender') AS v
JOIN point AS p ON p.id = v.point
JOIN exported_instance AS i ON i.workload = p.workload AND i.id = p.problem
WHERE v.value IS NOT NULL;
