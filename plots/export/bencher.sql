-- Bencher Metric Format: one JSON object, {benchmark: {measure: {value, lower_value, upper_value}}}. Bencher's measure
-- `latency` is in nanoseconds. json_patch drops members that are null, such as the interval of one launch.
SELECT json_group_object(name, json(measures)) FROM
    (SELECT name, json_group_object(measure, json(value)) AS measures FROM
        (SELECT workload || coalesce(' ' || contender, '') || ' ranks=' || ranks || iif(problem = '', '', ' ' || problem)
                || iif(min(kind || environment || wait) OVER same < max(kind || environment || wait) OVER same,
                    ' ' || kind || ' ' || substr(environment, 1, 8) || ' ' || wait, '') AS name,
            CASE measure WHEN 'median' THEN 'latency' WHEN 'metric' THEN coalesce(nullif(unit, ''), 'metric')
                ELSE measure END AS measure,
            json_patch('{}', json_object('value', value * scale, 'lower_value', low * scale, 'upper_value', high * scale))
                AS value
        FROM (SELECT *, iif(measure = 'median', 1e9, 1.0) AS scale FROM exported)
        WINDOW same AS (PARTITION BY workload, contender, ranks, problem)
        ORDER BY 1, 2)
    GROUP BY name ORDER BY name);
