-- The panel and the size of each row of `chosen`, for `quick`: a row for each. A panel is an instance without its
-- size, named by the parameters that distinguish it from the other panels of its workload. size is the unit of an
-- exchange, elements and target of a redistribution, or the cells of a stencil. An exchange without a unit has its
-- mean message as size, and at says so; a captured one uses the application's own messages, not the sums of pairs. at
-- is the size in readable form, after size_of. x is the size in bytes: the unit, the mean message of a
-- redistribution, a stencil's array. If all redistributions have the same number of elements, the panel has it.
-- contender is named by the options that its sweep compares. is_empty: it has no message between ranks; such a row is
-- omitted if others of its panel and size have some. messages, bytes and longest_bytes are those of its pattern
-- between different ranks (longest_bytes NULL if ranks have messages to themselves). too_short: a step takes no
-- longer than the uncertainty of its start. s is the compared time, seconds (the predicted one if it is modelled).
-- For several patterns of a capture there is one more panel. It has the contenders that raced on all patterns with
-- long enough steps, with each pattern as often as the application made it, one call after the other. calls is that
-- number there, and NULL elsewhere. weight turns a mean over the patterns into their sum over all calls, and is 1
-- elsewhere. unit is that of a program's metric, NULL for a time; is_rate: s is its inverse.
-- Patterns of a capture that have messages and long enough steps for all contenders on them. Otherwise a contender
-- would have less to do than the others, or no reference.
WITH told_patterns AS (
    SELECT capture, told, instance
    FROM panel_rows
    WHERE made IS NOT NULL
    GROUP BY capture, told, instance
    HAVING NOT max(is_empty) AND NOT max(too_short)
),
whole AS (
    SELECT n.*
    FROM panel_rows AS n
    JOIN told_patterns AS t ON t.capture = n.capture AND t.told = n.told AND t.instance = n.instance
),
-- The same, under one contender.
called AS (
    SELECT capture, told, contender, count(DISTINCT instance) AS patterns,
           count(DISTINCT instance) FILTER (WHERE quality IS NOT NULL) AS inexact, sum(made) AS made
    FROM whole
    GROUP BY capture, told, contender
),
applications AS (
    SELECT c.*, printf('%d calls', made) AS calls
    FROM called AS c
    WHERE patterns = (SELECT max(w.patterns) FROM called AS w WHERE w.capture = c.capture AND w.told = c.told)
      AND patterns > 1
)
SELECT point, kind, environment, wait, instance, contender, ranks, started, n, few, s, low_s, high_s, x,
       workload, is_empty, too_short, messages, bytes, longest_bytes, lower_bound_s, predicted_s, from_start_s,
       schedule_s, phases, name || told AS panel, size, size_of, at, NULL AS calls, 1 AS weight, unit, is_rate
FROM (SELECT *, min(coalesce(is_empty, 0)) OVER (PARTITION BY name, told, size) AS are_all_empty FROM panel_rows)
WHERE are_all_empty
   OR is_empty IS NOT 1
UNION ALL
SELECT s.point, s.kind, s.environment, s.wait, s.capture, s.contender, s.ranks, s.started, s.n, s.few, s.s,
       NULL, NULL, a.made, s.workload, 0, 0, s.messages, s.bytes, s.longest_bytes, s.lower_bound_s, s.predicted_s,
       s.from_start_s, s.schedule_s, s.phases,
       printf('exchange %s, its %d patterns', s.capture, a.patterns)
           || iif(a.inexact = 0, '', printf(' (%d not exact)', a.inexact)) || s.told, a.calls, '', a.calls, s.made,
       s.made * a.patterns, NULL, 0
FROM whole AS s
JOIN applications AS a ON a.capture = s.capture AND a.told = s.told AND a.contender = s.contender;
