-- Rows read from files of other benchmarks (results/foreign.h) as runs of an empty database. Before the other scripts;
-- `given` has all rows, as JSON.
--
-- A file is a campaign. The k-th value of a point in a file is that of its launch k: hyperfine starts a program anew
-- for each, and a table that was printed twice is the output of two launches. hyperfine's parameters distinguish its
-- commands; the command does if they do not on some side.
CREATE TEMP TABLE asked_row AS SELECT key AS place, json_extract(value, '$.side') AS side,
    json_extract(value, '$.file') AS file, json_extract(value, '$.workload') AS workload,
    json_extract(value, '$.ranks') AS ranks, json_extract(value, '$.params') AS params,
    json_extract(value, '$.command') AS command, json_extract(value, '$.value') AS value,
    json_extract(value, '$.cost') AS cost
FROM given, json_each(rows);
CREATE TEMP TABLE filed AS SELECT *, row_number() OVER (PARTITION BY file, workload, ranks, params ORDER BY place) AS launch,
    printf('%064d', dense_rank() OVER (ORDER BY workload, ranks, params)) AS point
FROM (SELECT r.place, r.side, r.file, r.workload, r.ranks, r.value, r.cost,
        iif(r.command IS NOT NULL AND several, json_set(r.params, '$.command', r.command), r.params) AS params
    FROM asked_row AS r, (SELECT coalesce(max(commands), 0) > 1 AS several
        FROM (SELECT count(DISTINCT command) AS commands FROM asked_row GROUP BY side, workload, params)));
INSERT INTO environment (id, described) VALUES (printf('%064d', 0), '{}');
INSERT INTO campaign (id) SELECT DISTINCT file FROM filed;
INSERT INTO record_file SELECT DISTINCT file, 0, '', 0, 0, 0 FROM filed;
INSERT INTO job (campaign, id, environment) SELECT DISTINCT file, launch, printf('%064d', 0) FROM filed;
INSERT INTO point (id, workload, ranks, params) SELECT DISTINCT point, workload, ranks, params FROM filed;
INSERT INTO run (id, hash, file, point, campaign, job, kind, status, started, criterion, metrics, samples, step_s)
SELECT place + 1, '', file, point, file, launch, 'measured', 'ok', '', 'step', json_object('value', value), 1,
    CAST(cost AS REAL)
FROM filed;
