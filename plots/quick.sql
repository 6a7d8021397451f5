-- title: Communication time by algorithm, ms: median [95 % interval]; over several instances the mean of their medians, which has none
-- sweep: quick
-- rows: communication_s IS NOT NULL AND algorithm IS NOT NULL AND placement IS NULL
-- panel: panel
-- series: algorithm
-- style: style
-- pivot: algorithm
-- cells: median_ms
-- data: ms low_ms high_ms n
-- size: 1200x700
--
-- Whatever has been measured: a panel for each instance but for the unit, the twelve most recent. A
-- row is over the instances of a random pattern that all its algorithms have; where they have none in
-- common, over those of the instance that most of them have. n is the least number of samples of an
-- instance; it is shown where the limit ended one before the least that was asked for.
WITH named AS (
    SELECT workload || ' ' || coalesce(mesh || ' ' || partition,
               pattern || coalesce(' d=' || density, ''), com, 'pattern')
           || CASE WHEN overlap THEN ' overlapped' ELSE '' END
           || ', ' || ranks || ' ranks' AS panel,
           coalesce(unit, bytes / max(messages, 1)) AS unit,
           algorithm, instance, ranks, started, n, communication_s, communication_low_s,
           communication_high_s, stopped = 'limit' AND n < min_samples AS few
    FROM chosen
),
recent AS (
    SELECT panel, row_number() OVER (ORDER BY max(started) DESC, panel) AS place
    FROM named
    GROUP BY panel
),
-- The algorithms that each instance was measured with, as one text.
measured AS (
    SELECT panel, unit, instance, count(*) AS algorithms,
           group_concat(algorithm, ' ') AS names
    FROM (SELECT panel, unit, instance, algorithm FROM named ORDER BY algorithm)
    GROUP BY panel, unit, instance
),
widest AS (
    SELECT panel, unit, names,
           row_number() OVER (PARTITION BY panel, unit
                              ORDER BY algorithms DESC, instance) AS place
    FROM measured
),
means AS (
    SELECT d.panel, d.unit, d.algorithm,
           count(*) AS instances,
           min(d.n) AS n,
           max(d.few) AS few,
           1000 * avg(d.communication_s) AS ms,
           CASE WHEN count(*) = 1 THEN 1000 * min(d.communication_low_s) END AS low_ms,
           CASE WHEN count(*) = 1 THEN 1000 * min(d.communication_high_s) END AS high_ms,
           max(d.ranks) AS ranks
    FROM widest AS w
    JOIN measured AS m ON m.panel = w.panel AND m.unit IS w.unit AND m.names = w.names
    JOIN named AS d ON d.panel = m.panel AND d.unit IS m.unit AND d.instance = m.instance
    WHERE w.place = 1
    GROUP BY d.panel, d.unit, d.algorithm
)
SELECT m.panel,
       m.unit,
       m.instances,
       m.algorithm,
       CASE WHEN m.low_ms IS NULL THEN printf('%.4g', m.ms)
            ELSE printf('%.4g [%.4g %.4g]', m.ms, m.low_ms, m.high_ms)
       END || CASE WHEN m.few THEN printf(' (n = %d)', m.n) ELSE '' END AS median_ms,
       m.ms,
       m.low_ms,
       m.high_ms,
       m.n,
       a.place AS style
FROM means AS m
JOIN recent AS r ON r.panel = m.panel
LEFT JOIN algorithm AS a ON a.name = m.algorithm
WHERE r.place <= 12
ORDER BY m.ranks, m.panel, a.place IS NULL, a.place, m.algorithm, m.unit;
