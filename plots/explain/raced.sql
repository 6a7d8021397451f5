-- How a contender differs from its reference: the table `explained`, a row for it and one for its reference, of each race
-- of the campaign that the store was narrowed to. `asked` has its name. late and communication are those of the rank that
-- ended last.
CREATE TEMP TABLE explained AS
WITH entered AS (
    SELECT o.race || o.environment || o.kind || o.wait AS race, o.contender = 'reference' AS is_reference, o.name, o.ranks,
           o.ratio, o.ratio_low, o.ratio_high, o.verdict, w.instance, w.phases, w.pieces,
           json_extract(w.metrics, '$.last_rank') AS last_rank,
           json_extract(w.metrics, '$.last_late_s') AS late_s,
           json_extract(w.metrics, '$.last_communication_s') AS communication_s,
           w.predicted_s, w.schedule_s
    FROM ratio AS o
    JOIN result AS w ON w.point = o.point AND w.environment = o.environment AND w.kind = o.kind AND w.wait = o.wait
    WHERE o.contender <> 'duplicate'
),
paired AS (
    SELECT c.race, c.name, r.name AS reference, c.verdict, told_ratio(c.ratio, c.ratio_low, c.ratio_high) AS ratio, c.phases, r.phases AS phases_there,
           c.predicted_s, r.predicted_s AS predicted_there_s
    FROM entered AS c
    JOIN asked AS a ON a.name = c.name
    JOIN entered AS r ON r.race = c.race AND r.is_reference
    WHERE NOT c.is_reference
)
SELECT e.race,
       e.is_reference,
       (SELECT group_concat(key || ' ' || CASE WHEN type = 'null' THEN 'not set'
               WHEN instr(value, '@') > 0 THEN substr(value, 1, instr(value, '@') + 6) ELSE value END, ', ')
        FROM json_each(e.instance) WHERE key NOT IN ('seed', 'instance', 'overlap')) || ', ' || e.ranks || ' ranks' AS problem,
       e.name AS contender,
       iif(e.is_reference, '1 (reference)', told_ratio(e.ratio, e.ratio_low, e.ratio_high)) AS ratio,
       e.phases,
       e.pieces AS transfers,
       e.last_rank,
       told_time(e.late_s) AS late,
       told_time(e.communication_s) AS communication,
       told_time(e.predicted_s) AS predicted,
       told_time(e.schedule_s) AS scheduling,
       CASE p.verdict
           WHEN 'slower' THEN p.name || ' is slower than ' || p.reference || ', ' || p.ratio
           WHEN 'faster' THEN p.name || ' is faster than ' || p.reference || ', ' || p.ratio
           WHEN 'same' THEN p.name || ' and ' || p.reference || ' differ by no more than 5 %, ' || p.ratio
           ELSE 'Inconclusive: ' || p.name || ' to ' || p.reference || ', ' || p.ratio END
           || CASE WHEN p.verdict = 'slower' AND p.phases > p.phases_there
                   THEN printf('; it has %d phases and %s %d: in each phase a rank waits for its partners', p.phases,
                               p.reference, p.phases_there) ELSE '' END
           || coalesce('; the model has ' || told_time(p.predicted_s) || ' for it ('
                       || coalesce(p.reference || ': ' || told_time(p.predicted_there_s), 'none for ' || p.reference) || ')', '')
           || '.' AS sentence
FROM entered AS e
JOIN paired AS p ON p.race = e.race AND (e.is_reference OR e.name = p.name);
