-- title: Unknown values
WITH mine AS (
    SELECT id, kind, status, communication_s, predicted_s, lower_bound_s, samples, min_samples, stopped,
           json_extract(metrics, '$.cost') AS cost,
           oversubscribed, campaign, job,
           count(*) OVER (PARTITION BY campaign, point) AS launches
    FROM run
    WHERE status = 'ok'
),
counts (place, what, of, runs) AS (
    SELECT 1, 'time of communication', 'measured runs', total(communication_s IS NULL)
    FROM mine WHERE kind = 'measured'
    UNION ALL
    SELECT 2, 'a 95 % interval: one launch only', 'measured runs', total(launches = 1)
    FROM mine WHERE kind = 'measured'
    UNION ALL
    SELECT 3, 'the requested samples of a launch: the limit came first', 'measured runs',
           total(stopped = 'time-limit' AND samples < min_samples)
    FROM mine WHERE kind = 'measured'
    UNION ALL
    SELECT 4, 'time without other ranks on the same processor: oversubscribed',
           'measured runs', total(oversubscribed)
    FROM mine WHERE kind = 'measured'
    UNION ALL
    SELECT 5, 'predicted time', 'measured runs', total(predicted_s IS NULL)
    FROM mine WHERE kind = 'measured'
    UNION ALL
    SELECT 6, 'the lower bound', 'measured runs', total(lower_bound_s IS NULL)
    FROM mine WHERE kind = 'measured'
    UNION ALL
    SELECT 7, 'the environment: the record of the launch is lost', 'runs',
           total(json(e.described) = '{}')
    FROM mine AS m
    JOIN job AS j ON j.campaign = m.campaign AND j.id = m.job
    JOIN environment AS e ON e.id = j.environment
    UNION ALL
    SELECT 8, 'the prediction: no model of it', 'modelled runs',
           total(predicted_s IS NULL AND communication_s IS NULL)
    FROM mine WHERE kind = 'modelled' AND lower_bound_s IS NOT NULL AND cost IS NULL
    UNION ALL
    SELECT 9, 'hardware counters that could not be counted', 'values asked for', total(c.value IS NULL)
    FROM counter AS c
    JOIN mine AS m ON m.id = c.run
    UNION ALL
    SELECT 10, 'records: lines that are torn or could not be read', 'lines', total(torn + bad)
    FROM record_file
)
SELECT what AS "not known", CAST(runs AS INTEGER) AS number, of AS "number of"
FROM counts
WHERE runs > 0
ORDER BY place;
