-- OpenMetrics text 1.0, a line per row: a family for each measure and each end of its interval. In the values of
-- labels backslashes, quotes and newlines are escaped.
WITH family (measure, end, name, unit, help) AS (VALUES
    ('median', 'value', 'nuce_median_seconds', 'seconds', 'Median time of the compared part.'),
    ('median', 'low', 'nuce_median_low_seconds', 'seconds', 'Lower end of the 95 % interval of the median.'),
    ('median', 'high', 'nuce_median_high_seconds', 'seconds', 'Upper end of the 95 % interval of the median.'),
    ('metric', 'value', 'nuce_metric', NULL, 'Median of a number that a program prints, in the unit of the label.'),
    ('metric', 'low', 'nuce_metric_low', NULL, 'Lower end of the 95 % interval of the number.'),
    ('metric', 'high', 'nuce_metric_high', NULL, 'Upper end of the 95 % interval of the number.'),
    ('ratio', 'value', 'nuce_ratio', 'ratio', 'Ratio to the reference of the race; below 1 is faster.'),
    ('ratio', 'low', 'nuce_low_ratio', 'ratio', 'Lower end of the 95 % interval of the ratio over launches.'),
    ('ratio', 'high', 'nuce_high_ratio', 'ratio', 'Upper end of the 95 % interval of the ratio over launches.')),
labelled AS (SELECT *, (SELECT group_concat(key || '="'
        || replace(replace(replace(value, '\', '\\'), '"', '\"'), char(10), '\n') || '"')
    FROM json_each(json_patch('{}', json_object('campaign', (SELECT id FROM narrowed), 'workload', workload, 'contender', contender,
        'ranks', ranks, 'instance', nullif(instance, ''), 'environment', environment, 'kind', kind, 'wait', nullif(wait, ''),
        'unit', iif(measure = 'metric', unit, NULL))))) AS labels FROM exported),
sample AS (SELECT f.name, l.labels, CASE f.end WHEN 'value' THEN l.value WHEN 'low' THEN l.low ELSE l.high END AS value
    FROM labelled AS l JOIN family AS f ON f.measure = l.measure)
SELECT line FROM
    (SELECT name, 1 AS place, '# TYPE ' || name || ' gauge' AS line FROM family
    UNION ALL SELECT name, 2, '# UNIT ' || name || ' ' || unit FROM family WHERE unit IS NOT NULL
    UNION ALL SELECT name, 3, '# HELP ' || name || ' ' || help FROM family
    UNION ALL SELECT name, 4, name || '{' || labels || '} ' || value FROM sample WHERE value IS NOT NULL
    UNION ALL SELECT '# EOF', 5, '# EOF')
WHERE name = '# EOF' OR name IN (SELECT name FROM sample WHERE value IS NOT NULL)
ORDER BY place = 5, name, place, line;
