-- Names the fastest contender in sentences, from `panels` and `races`, for each panel and the sizes with the same
-- answer. Simulated or modelled times have no noise. Races that were launched once only get that remark, and
-- contenders that were measured separately get none. Contenders may differ by a tenth and more without a significant
-- difference. They are then not called the fastest, because the launches are too few, or too different. A remark says
-- if other processes ran during half of the launches. Ratios are those of the table, to the reference. noise_off is
-- the far end of a noise interval that excludes 1, as printed. If a size is an item size and a message has several
-- items by its pattern, the mean message follows it. If the answer changes along the sizes, the last sizes with one
-- answer are called "from" the smallest of them "on".
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
-- The number of launches with load of other processes during a race of that size.
disturbed_races AS (
    SELECT g.panel, g.size, count(DISTINCT r.campaign || ' ' || r.job) AS busy
    FROM panels AS g
    JOIN run AS r ON r.point = g.point AND r.status = 'ok' AND r.kind = g.kind AND coalesce(r.wait, '') = g.wait
    JOIN disturbed_run AS d ON d.run = r.id AND d.environment = g.environment AND d.busy
    WHERE g.kind = 'measured'
    GROUP BY g.panel, g.size
),
-- The number of launches that its campaigns requested.
asked AS (
    SELECT panel, size, sum(launches) AS asked
    FROM (SELECT DISTINCT g.panel, g.size, c.id, c.launches
          FROM panels AS g
          JOIN run AS r ON r.point = g.point AND r.kind = g.kind AND coalesce(r.wait, '') = g.wait
          JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job AND j.environment = g.environment
          JOIN campaign AS c ON c.id = r.campaign
          WHERE g.kind = 'measured'
            AND r.status = 'ok'
            AND r.until_known IS NOT 1) -- else there is only a maximum
    GROUP BY panel, size
),
-- Races that ended because each contender was known beside the reference: that is all they were to find.
ended AS (
    SELECT DISTINCT g.panel, g.size
    FROM panels AS g
    JOIN chosen AS c ON c.point = g.point AND c.environment = g.environment AND c.kind = g.kind AND c.wait = g.wait
    WHERE c.stopped = 'known'
),
sets AS (
    SELECT panel, size, count(*) FILTER (WHERE too_few IS NULL) AS raced, max(launches) AS launches, total(is_best) AS fastest,
           group_concat(contender, ', ') FILTER (WHERE is_apart) AS apart_ones,
           iif(count(too_few) = count(*), max(too_few), NULL) AS few,
           count(too_few) = count(*) OR max(is_best IS NULL AND too_few IS NULL) AS is_open,
           group_concat(printf('%s ran in %d launch%s only', contender, too_few, iif(too_few = 1, '', 'es')), ', ')
               FILTER (WHERE too_few) AS few_ones,
           max(ratio_to_fastest) FILTER (WHERE is_best) AS apart,
           max(last_best) || ' over ' || max(least) AS apart_pair, max(last_launches) AS apart_launches,
           max(needed) FILTER (WHERE is_best AND ratio_to_fastest >= 1.1) AS needed,
           count(*) FILTER (WHERE is_best AND ratio_to_fastest >= 1.1) = count(needed) FILTER (WHERE ratio_to_fastest >= 1.1)
               AS is_known,
           group_concat(contender, ', ') FILTER (WHERE is_best) AS best,
           max(reference) AS reference, max(is_best) FILTER (WHERE role = 'reference') AS is_reference_best
    FROM (SELECT r.*, first_value(r.contender) OVER slowest AS last_best,
                 first_value(r.least_launches) OVER slowest AS last_launches
          FROM races AS r LEFT JOIN contenders AS a ON a.name = r.contender
          WHERE r.role <> 'duplicate'
          WINDOW slowest AS (PARTITION BY r.panel, r.size ORDER BY r.is_best DESC, r.ratio_to_fastest DESC)
          ORDER BY a.place IS NULL, a.place, r.contender)
    GROUP BY panel, size
),
-- The subject of a sentence: sizes with the same answer, number `nth` of the panel.
sizes AS (
    SELECT s.*, r.raced, max(r.launches, coalesce(t.launches, 0)) AS launches, r.apart_ones, r.fastest, r.is_open, r.few, r.apart,
           iif(r.is_open, NULL, r.few_ones) AS few_ones,
           r.apart_pair, r.apart_launches, iif(r.is_known, r.needed, NULL) AS needed, r.best,
           r.reference, r.is_reference_best, coalesce(d.busy, 0) AS busy,
           t.ratio AS noise, t.low AS noise_low, t.high AS noise_high,
           iif(round(t.low, 2) > 1 OR round(t.high, 2) < 1, max(1 / t.low, t.high), NULL) AS noise_off,
           k.asked, e.panel IS NOT NULL AS is_ended, row_number() OVER (PARTITION BY s.panel ORDER BY s.x, s.size) AS nth,
           count(*) OVER (PARTITION BY s.panel) AS last,
           json_array(s.panel, s.is_empty, s.too_short, r.raced IS NULL, coalesce(r.is_open, 1), r.best, r.reference,
                      iif(r.is_open, coalesce(r.few, 0), r.launches), coalesce(r.apart >= 1.1, 0), r.apart_ones,
                      iif(r.is_open, NULL, r.few_ones)) AS answer
    FROM shown AS s
    LEFT JOIN sets AS r ON r.panel = s.panel AND r.size = s.size
    LEFT JOIN races AS t ON t.panel = s.panel AND t.size = s.size AND t.role = 'duplicate'
    LEFT JOIN disturbed_races AS d ON d.panel = s.panel AND d.size = s.size
    LEFT JOIN asked AS k ON k.panel = s.panel AND k.size = s.size
    LEFT JOIN ended AS e ON e.panel = s.panel AND e.size = s.size
    WHERE s.contenders > 1
),
-- Each contender of an answer, over its sizes; slower_than is set if its ratio does not show that it is slower.
entered AS (
    SELECT s.answer, r.contender, max(r.is_best) AS is_best, min(r.ratio) AS least, max(r.ratio) AS most,
           iif(count(*) = 1, substr(told_ratio(1, max(r.low), max(r.high)), 6), '') AS interval, -- behind 1.00x
           iif(max(s.is_reference_best),
               max(r.slower_than) FILTER (WHERE NOT r.is_slower AND r.slower_than <> r.reference), NULL) AS slower_than
    FROM sizes AS s
    JOIN races AS r ON r.panel = s.panel AND r.size = s.size AND r.role = 'contender'
    GROUP BY s.answer, r.contender
),
ranged AS (
    SELECT *, told_ratio(least, NULL, NULL)
               || coalesce(' to ' || nullif(told_ratio(most, NULL, NULL), told_ratio(least, NULL, NULL)), '') AS range
    FROM entered
),
others AS (
    SELECT answer, count(*) AS others, min(least) AS least, max(most) AS most,
           max(slower_than) IS NULL AS are_slower_than_reference,
           group_concat(contender || ' ' || range || iif(raced <= 3, interval, '')
                        || coalesce(' (slower than ' || slower_than || ')', ''), ', ') AS named
    FROM (SELECT r.*, row_number() OVER (PARTITION BY answer ORDER BY most, contender) AS nth,
                 count(*) OVER (PARTITION BY answer) AS raced
          FROM ranged AS r WHERE is_best = 0 ORDER BY answer, nth)
    GROUP BY answer
),
-- The fastest contenders, if the reference is not one of them.
leaders AS (
    SELECT answer, min(least) AS least, max(most) AS most,
           iif(count(*) = 1, max(range) || max(interval), NULL) AS only
    FROM ranged
    WHERE is_best
    GROUP BY answer
),
-- Those of the fastest whose own intervals lie above 1: within the noise, or not corrected for all contenders.
above AS (
    SELECT s.answer, group_concat(DISTINCT r.contender) AS starred,
           min(r.side) = 1 AS are_beyond_noise, max(r.side) < 1 AS are_within_noise
    FROM sizes AS s
    JOIN races AS r ON r.panel = s.panel AND r.size = s.size AND r.role = 'contender' AND r.is_best AND r.low > 1
    GROUP BY s.answer
),
told AS (
    SELECT panel, kind, workload, ranks, best, is_empty, too_short, answer, reference, max(is_reference_best)
               AS is_reference_best, max(instances) AS instances, max(launches) AS launches, max(busy) AS busy,
           coalesce(is_open, 1) AS is_open, few, count(raced) = count(*) AS is_raced,
           apart_ones, few_ones, max(raced) AS raced, max(fastest) AS fastest, max(apart) AS apart,
           max(widest_pair) AS apart_pair, max(widest_launches) AS apart_launches, max(needed) AS needed,
           max(asked) AS asked, max(is_ended) AS is_ended, count(*) AS sizes, min(x) AS x,
           CASE WHEN max(size_of) <> '' AND count(*) >= 2 AND min(nth) > 1 AND min(nth) + count(*) - 1 = max(last)
                THEN 'from ' || json_extract(json_group_array(at), '$[0]') || ' on'
                WHEN max(size_of) <> '' AND count(*) >= 2 AND max(nth) = count(*) AND max(nth) < max(last)
                THEN 'up to ' || json_extract(json_group_array(at), '$[#-1]')
                WHEN count(*) >= 3 AND max(nth) - min(nth) + 1 = count(*)
                THEN json_extract(json_group_array(at), '$[0]') || ' to ' || json_extract(json_group_array(at), '$[#-1]')
                WHEN count(*) <= 6 THEN group_concat(at, ', ') END AS named_sizes,
           CASE WHEN count(message) < count(*) THEN NULL
                WHEN count(*) >= 3 AND max(nth) - min(nth) + 1 = count(*)
                THEN told_bytes(json_extract(json_group_array(message), '$[0]')) || ' to ' || told_bytes(json_extract(json_group_array(message), '$[#-1]'))
                WHEN count(*) <= 6 THEN group_concat(told_bytes(message), ', ') END AS named_messages,
           max(size_of) AS size_of,
           min(noise) AS noise_least, max(noise) AS noise_most,
           min(noise_low) AS noise_low, max(noise_high) AS noise_high, max(noise_off) AS noise_off,
           count(noise_off) AS noisy
    FROM (SELECT *, first_value(apart_pair) OVER widest AS widest_pair,
                 first_value(apart_launches) OVER widest AS widest_launches
          FROM sizes
          WINDOW widest AS (PARTITION BY answer ORDER BY apart DESC)
          ORDER BY panel, x, size)
    GROUP BY answer
)
SELECT t.panel, t.kind, t.workload, t.ranks, t.x, t.best, t.is_open,
       -- A newline begins one of these lines, and none in a name does.
       replace(t.panel, char(10), ' ') || iif(instances > 1, printf(' (%d instances)', instances), '')
       || iif(size_of = 'item-bytes ' AND named_messages IS NOT NULL,
              ', mean message ' || named_messages || ' (item-bytes ' || coalesce(named_sizes, printf('of %d sizes', sizes)) || ')',
              coalesce(', ' || size_of || nullif(named_sizes, ''), iif(sizes > 1, printf(', %d sizes', sizes), ''))
              || coalesce(' (mean message ' || named_messages || ')', '')) || ':' || char(10)
       || CASE WHEN is_empty THEN 'Nothing to send: no contender wins.'
               WHEN too_short THEN 'Inconclusive: too short; a step takes no longer than the uncertainty of its start.'
               WHEN NOT is_raced THEN 'Inconclusive: each was measured by itself, not in one race.'
               WHEN few = 1 THEN 'Inconclusive: one launch has no interval; run more launches.'
               WHEN few THEN printf('Inconclusive: %d launches are too few.', few)
               WHEN is_open THEN 'Inconclusive: not all of them raced in the same launches; run it again.'
               WHEN launches > 1 AND apart >= 1.1
               THEN printf('%s: %d launches are too few to separate %s (largest ratio: %s, %s); %s.',
                           iif(is_ended, 'No winner', 'Inconclusive'), apart_launches,
                           replace(best, char(10), ' '), replace(apart_pair, char(10), ' '), told_ratio(apart, NULL, NULL),
                           CASE WHEN is_ended
                                THEN 'the race ended when each was known beside ' || reference
                                WHEN workload = 'program' AND asked IS NULL
                                THEN 'a longer budget, or a wider margin, may suffice'
                                WHEN launches < asked
                                THEN printf('the rest of the %d launches asked for may suffice', asked)
                                WHEN needed > 200 THEN 'more than 200 would be needed'
                                WHEN needed IS NOT NULL
                                THEN printf('about %d should suffice (launches: %d below measure:)', needed, needed)
                                ELSE 'more launches may suffice' END)
                    || iif(is_reference_best, '', ' They take ' || l.range || ' the time of ' || reference || '.')
               WHEN fastest = raced
               THEN 'No ' || iif(kind = 'measured', 'significant ', '') || 'difference between ' || replace(best, char(10), ' ') || '.'
               ELSE 'Fastest: ' || replace(best, char(10), ' ')
                    || iif(fastest = 1, '', iif(kind = 'measured', ' (no significant difference)', ' (no difference)'))
                    || iif(is_reference_best, '', ', ' || l.range || ' the time of ' || reference) || '.' END
       || CASE WHEN is_empty OR too_short OR NOT is_raced OR is_open OR others IS NULL THEN ''
               ELSE char(10) || iif(is_reference_best AND o.are_slower_than_reference, 'Slower than ', 'Slower than the fastest; ratio to ')
                    || reference || ': '
                    || iif(others > 5, printf('%d others, ', others) || told_ratio(o.least, NULL, NULL) || ' to '
                                       || told_ratio(o.most, NULL, NULL), replace(named, char(10), ' ')) || '.' END
       || CASE WHEN is_empty OR too_short OR NOT is_raced OR is_open THEN ''
               ELSE coalesce(char(10) || replace(replace(a.starred, ',', ', '), char(10), ' ')
                             || ' *: the interval lies above 1, but '
                             || CASE WHEN are_within_noise THEN 'the ratio is no further from 1 than the noise.'
                                     WHEN are_beyond_noise THEN 'not if corrected for all contenders.'
                                     ELSE 'not beyond the noise and corrected for all contenders.' END, '') END
       || CASE WHEN is_empty OR too_short OR few_ones IS NULL THEN ''
               ELSE char(10) || 'No verdict: ' || replace(few_ones, char(10), ' ') || '.' END
       || CASE WHEN is_empty OR too_short OR NOT is_raced OR apart_ones IS NULL THEN ''
               ELSE char(10) || printf('Not all in the same launches: %s. Each ratio is to %s of its own launches.',
                                       replace(apart_ones, char(10), ' '), reference) END
       || CASE WHEN noise_least IS NULL THEN ''
               ELSE char(10) || printf('Noise (%s vs %s): ', reference, reference)
                    || CASE WHEN sizes = 1 THEN told_ratio(noise_least, noise_low, noise_high)
                            ELSE told_ratio(noise_least, NULL, NULL)
                                 || coalesce(' to ' || nullif(told_ratio(noise_most, NULL, NULL),
                                                           told_ratio(noise_least, NULL, NULL)), '')
                                 || iif(noise_low IS NULL, '', printf(', within [%.2f, %.2f]', noise_low, noise_high)) END
                    || printf('; %d%s launch%s.', launches, iif(launches < asked, printf(' of %d', asked), ''),
                              iif(launches = 1 AND coalesce(launches >= asked, 1), '', 'es')) END
       || CASE WHEN noise_off IS NULL THEN ''
               ELSE char(10) || iif(noisy = sizes, 'A', printf('At %d of %d sizes a', noisy, sizes))
                    || printf(' copy of %s differs from %s: a ratio between %.2f and %.2f is no difference. Repeat the run, with more launches%s.',
                              reference, reference, 1 / noise_off, noise_off,
                              iif(workload = 'program', ' (--launches)', ' (launches: below measure:)')) END
       || CASE WHEN noise_least IS NULL OR busy = 0 THEN ''
               ELSE char(10) || printf('Other load in %d of %d launch%s%s.', busy, max(launches, busy),
                                       iif(max(launches, busy) = 1, '', 'es'), iif(2 * busy >= launches, ': repeat on an idle machine', '')) END AS sentence
FROM told AS t
LEFT JOIN others AS o ON o.answer = t.answer
LEFT JOIN above AS a ON a.answer = t.answer
LEFT JOIN (SELECT *, coalesce(only, told_ratio(least, NULL, NULL)
                      || coalesce(' to ' || nullif(told_ratio(most, NULL, NULL), told_ratio(least, NULL, NULL)), '')) AS range
           FROM leaders) AS l ON l.answer = t.answer;
