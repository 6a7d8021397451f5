-- Which contender is the fastest, in sentences, from `panels` and `races`: for each panel and the sizes at
-- which it is the same ones. What simulated or modelled panels say is exact. Of heats that were launched once
-- nothing is said but that, and nothing of contenders that were measured each by itself. Those that cannot
-- be told apart though their times are, by a tenth and more, are not called the fastest: it is the launches
-- that are too few, or too unlike each other. A size that is a unit, of which a message has as many as its
-- pattern says, has the mean message behind it.
WITH shown AS (
    SELECT panel, size, min(at) AS at, min(size_of) AS size_of,
           iif(min(size_of) <> '', 1.0 * sum(bytes) / nullif(sum(messages), 0), NULL) AS message,
           min(x) AS x, max(kind) AS kind, max(workload) AS workload,
           max(ranks) AS ranks, count(DISTINCT instance) AS instances,
           count(DISTINCT contender) AS contenders, max(is_empty) AS is_empty,
           max(too_short) AS too_short
    FROM panels
    GROUP BY panel, size
),
sets AS (
    SELECT panel, size, count(*) AS raced, max(launches) AS launches, total(is_best) AS fastest,
           max(is_best IS NULL) AS is_open, max(times_least) FILTER (WHERE is_best) AS apart,
           max(needed) FILTER (WHERE is_best AND times_least >= 1.1) AS needed,
           count(*) FILTER (WHERE is_best AND times_least >= 1.1) = count(needed) FILTER (WHERE times_least >= 1.1)
               AS is_known,
           group_concat(contender, ', ') FILTER (WHERE is_best) AS best
    FROM (SELECT r.* FROM races AS r LEFT JOIN contenders AS a ON a.name = r.contender
          WHERE r.role <> 'twin'
          ORDER BY a.place IS NULL, a.place, r.contender)
    GROUP BY panel, size
),
-- The others, each so many times as long as the one that races.sql sets it beside.
others AS (
    SELECT panel, size, count(*) AS others,
           iif(min(slower_than) = max(slower_than), min(slower_than), NULL) AS beside, min(slower) AS least, max(slower) AS most,
           group_concat(contender || printf(' takes %.2f', slower)
               || iif(slower_high > slower_low, printf(' [%.2f %.2f]', slower_low, slower_high), '')
               || ' times as long as ' || slower_than, ', ') AS named
    FROM races
    WHERE is_best = 0
    GROUP BY panel, size
),
sizes AS (
    SELECT s.*, r.raced, r.launches, r.fastest, r.is_open, r.apart, iif(r.is_known, r.needed, 1e9) AS needed, r.best,
           o.others, o.beside, o.least, o.most, o.named,
           t.ratio AS control, t.low AS control_low, t.high AS control_high
    FROM shown AS s
    LEFT JOIN sets AS r ON r.panel = s.panel AND r.size = s.size
    LEFT JOIN others AS o ON o.panel = s.panel AND o.size = s.size
    LEFT JOIN races AS t ON t.panel = s.panel AND t.size = s.size AND t.role = 'twin'
    WHERE s.contenders > 1
),
told AS (
    SELECT panel, kind, workload, ranks, best, is_empty, too_short, max(instances) AS instances, max(launches) AS launches,
           coalesce(is_open, 1) AS is_open, count(raced) = count(*) AS is_raced,
           max(raced) AS raced, max(fastest) AS fastest, max(apart) AS apart, max(needed) AS needed, count(*) AS sizes, min(x) AS x,
           CASE WHEN count(*) <= 6 THEN group_concat(at, ', ') END AS named_sizes,
           CASE WHEN count(*) <= 6 AND count(message) = count(*)
                THEN group_concat(told_bytes(message), ', ') END AS named_messages,
           max(size_of) AS size_of,
           iif(count(beside) = count(others) AND min(beside) = max(beside), min(beside), NULL) AS beside,
           min(least) AS least, max(most) AS most, max(others) AS others, max(named) AS named,
           min(control) AS control_least, max(control) AS control_most,
           min(control_low) AS control_low, max(control_high) AS control_high
    FROM (SELECT * FROM sizes ORDER BY panel, x, size)
    GROUP BY panel, kind, workload, ranks, is_empty, too_short, raced IS NULL, coalesce(is_open, 1), best,
             iif(is_open, 0, launches),
             -- To whom the others are compared is one of the fastest, or stands with each of them.
             coalesce(beside, iif(others IS NULL, '', size))
)
SELECT panel, kind, workload, ranks, x, best, is_open,
       panel || iif(instances > 1, printf(' (%d instances)', instances), '')
       || ', ' || coalesce(size_of || nullif(named_sizes, ''), printf('%d sizes', sizes))
       || coalesce(' (mean message ' || named_messages || ')', '') || ': '
       || CASE WHEN is_empty THEN 'there is nothing to send, and no winner'
               WHEN too_short THEN 'too short to tell: a step takes no longer than its start is known to'
               WHEN NOT is_raced THEN 'measured each by itself, not in one heat, which cannot say which'
                   || ' is the fastest'
               WHEN is_open AND launches > 1 THEN 'not all of them raced in the same launches, which cannot'
                   || ' say which is the fastest: run it again'
               WHEN is_open THEN 'launched once, which cannot say which is the fastest: more launches can'
               ELSE
                   CASE WHEN launches > 1 AND apart >= 1.1
                        THEN printf('%s cannot be told apart by %d launches, though one takes up to'
                                    || ' %.2f times as long as another: %s', best, launches, apart,
                                    iif(needed < 1e9, printf('about %d would (''launches: %d'' below'
                                                             || ' ''measure:'')', needed, needed),
                                        'more launches can'))
                        WHEN fastest = raced THEN 'no difference can be told between ' || best
                        WHEN fastest = 1 THEN best || ' is the fastest'
                        ELSE best || ' are the fastest and cannot be told apart' END
                   || CASE WHEN others IS NULL THEN ''
                           WHEN sizes = 1 AND (others = 1 OR beside IS NULL) THEN '; ' || named
                           WHEN printf('%.2f', least) = printf('%.2f', most)
                           THEN printf('; the others take %.2f times as long', least)
                           ELSE printf('; the others take %.2f to %.2f times as long', least, most) END
                   || CASE WHEN others IS NULL OR (sizes = 1 AND (others = 1 OR beside IS NULL)) THEN ''
                           ELSE ' as ' || beside END
          END
       || CASE WHEN control_least IS NULL THEN ''
               WHEN sizes = 1 AND control_low IS NOT NULL
               THEN printf(' (control %.2f [%.2f %.2f], %d launches)', control_least, control_low,
                           control_high, launches)
               WHEN sizes = 1 THEN printf(' (control %.2f)', control_least)
               WHEN control_low IS NOT NULL
               THEN printf(' (controls %.2f to %.2f, within [%.2f %.2f], %d launches)', control_least,
                           control_most, control_low, control_high, launches)
               ELSE printf(' (controls %.2f to %.2f, %d launch%s)', control_least, control_most, launches,
                           iif(launches = 1, '', 'es')) END
       || '.' AS sentence
FROM told;
