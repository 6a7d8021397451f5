-- title: Communication time by algorithm
-- sweep: quick
-- rows: communication_s IS NOT NULL
-- panel: panel
-- series: algorithm
-- style: style
-- pivot: algorithm
-- cells: median_ms
-- data: ms low_ms high_ms
-- size: 1200x700
--
-- Whatever has been measured: a panel for each instance but for the unit, the twelve most recent;
-- over the instances of a random pattern the mean of the medians and of the interval's ends.
WITH named AS (
    SELECT *,
           workload || ' ' || coalesce(mesh || ' ' || partition,
               pattern || coalesce(' d=' || density, ''), com, 'pattern')
           || CASE WHEN overlap THEN ' overlapped' ELSE '' END
           || ', ' || ranks || ' ranks' AS panel
    FROM chosen
),
recent AS (
    SELECT panel, row_number() OVER (ORDER BY max(started) DESC, panel) AS place
    FROM named
    GROUP BY panel
),
means AS (
    SELECT panel, algorithm, coalesce(unit, bytes / max(messages, 1)) AS unit,
           1000 * avg(communication_s) AS ms,
           1000 * avg(communication_low_s) AS low_ms,
           1000 * avg(communication_high_s) AS high_ms,
           max(ranks) AS ranks
    FROM named
    GROUP BY panel, algorithm, 3
)
SELECT m.panel,
       m.unit,
       m.algorithm,
       CASE WHEN m.low_ms IS NULL THEN printf('%.4g', m.ms)
            ELSE printf('%.4g [%.4g %.4g]', m.ms, m.low_ms, m.high_ms)
       END AS median_ms,
       m.ms,
       coalesce(m.low_ms, m.ms) AS low_ms,
       coalesce(m.high_ms, m.ms) AS high_ms,
       a.place AS style
FROM means AS m
JOIN recent AS r ON r.panel = m.panel
LEFT JOIN algorithm AS a ON a.name = m.algorithm
WHERE r.place <= 12
ORDER BY m.ranks, m.panel, a.place IS NULL, a.place, m.algorithm, m.unit;
