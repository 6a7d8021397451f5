-- The runs of both sides, as `compared`: a row per run. side is 0 for A and 1 for B; launch numbers the launches of
-- all campaigns, campaign these, from 1 on.
--
-- A campaign or an environment is matched point by point, with different launches on each side. A way to start ranks,
-- such as an MPI library, is matched by all other parts of the point. A contender is matched by all other parts of
-- the point, in one environment. Runs of different wait policies are never matched, because they wait in different
-- ways. Values that only one side has are NULL, and ranks that a file does not say.
CREATE TEMP TABLE compared (run INTEGER PRIMARY KEY, side INTEGER, status TEXT, kind TEXT, started TEXT,
    launch INTEGER, campaign INTEGER, race TEXT, workload TEXT, ranks INTEGER, problem TEXT, wait TEXT, match TEXT,
    contender TEXT, point TEXT, environment TEXT);
INSERT INTO compared
SELECT run, name IN (SELECT value FROM json_each(b)), status, run_kind, started,
    dense_rank() OVER (ORDER BY campaign, job), dense_rank() OVER (ORDER BY campaign), race, workload, nullif(ranks, 0),
    CASE class WHEN 'way' THEN json_remove(problem, path) ELSE problem END, wait,
    CASE class
        WHEN 'contender' THEN workload || '/' || ranks || '/' || problem || environment
        WHEN 'way' THEN workload || '/' || ranks || '/' || json_remove(params, path)
        ELSE point
    END || '/' || coalesce(wait, ''),
    iif(class = 'contender', NULL, contender),
    iif(class IN ('contender', 'way', 'file'), NULL, point),
    iif(class = 'contender', environment, NULL)
FROM (SELECT s.class, s.a, s.b, '$.' || json_quote(s.key) AS path, r.id AS run, r.status, r.kind AS run_kind, r.started,
        r.campaign, r.job, r.race, p.workload, p.ranks, p.problem, p.params, r.wait, p.contender, p.id AS point,
        j.environment,
        CASE s.class
            WHEN 'campaign' THEN r.campaign
            WHEN 'file' THEN r.campaign
            WHEN 'environment' THEN j.environment
            WHEN 'contender' THEN p.contender
            ELSE (SELECT e.key || '=' || coalesce(e.value, '~') FROM json_each(p.problem) AS e WHERE e.key = s.key)
        END AS name
    FROM asked AS s CROSS JOIN run AS r JOIN point AS p ON p.id = r.point
    JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
    WHERE s.campaign IS NULL OR r.campaign = s.campaign)
WHERE name IN (SELECT value FROM json_each(a) UNION ALL SELECT value FROM json_each(b));
CREATE INDEX temp.compared_by_match ON compared (match, side);
