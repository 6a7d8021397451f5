-- title: Exchange: processor time to compute a schedule, us, over the messages of the pattern
-- sweep: exchange-table4
-- rows: workload = 'exchange' AND placement IS NULL AND schedule_s > 0 AND messages > 0
-- rows: AND kind = 'measured'
-- panel: panel
-- series: contender
-- style: style
-- pivot: contender
-- cells: us
-- data: low_us high_us patterns
--
-- Geometric means over the patterns with that many messages, rounded to two figures, with the least and
-- the most. Parallel to the thin line the cost grows as the messages do.
WITH rounded AS (
    SELECT contender,
           CAST(round(messages / pow(10, floor(log10(messages)) - 1))
                * pow(10, floor(log10(messages)) - 1) AS INTEGER) AS messages,
           1e6 * schedule_s AS us
    FROM chosen
)
SELECT 'schedule' AS panel,
       r.messages,
       r.contender,
       exp(avg(ln(r.us))) AS us,
       min(r.us) AS low_us,
       max(r.us) AS high_us,
       count(*) AS patterns,
       a.place AS style
FROM rounded AS r
LEFT JOIN schedules AS a ON a.name = r.contender
GROUP BY r.contender, r.messages
ORDER BY a.place IS NULL, a.place, r.contender, r.messages;
