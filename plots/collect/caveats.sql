-- Caveats for the sentences about the campaign in the table `asked`, a line each.
--
-- The kernels also report that ranks share processors and that PAPI cannot count, but in the log of a job.
WITH measured AS (
    SELECT count(*) AS runs, count(*) FILTER (WHERE oversubscribed) AS crowded,
           count(*) FILTER (WHERE wait = 'sleep') AS sleeping, count(wait) AS waiting
    FROM run
    WHERE campaign = (SELECT campaign FROM asked) AND kind = 'measured' AND status = 'ok'
),
launched AS (
    SELECT count(*) AS launches, count(*) FILTER (WHERE busy) AS disturbed
    FROM disturbed
    WHERE campaign = (SELECT campaign FROM asked)
      AND id IN (SELECT job FROM run WHERE campaign = (SELECT campaign FROM asked))
),
mine AS (
    SELECT contender, predicted_s IS NOT NULL AS told
    FROM result
    WHERE kind = 'modelled' AND contender IS NOT NULL
      AND point IN (SELECT point FROM run
                    WHERE campaign = (SELECT campaign FROM asked) AND kind = 'modelled' AND status = 'ok')
)
SELECT said
FROM (
    SELECT 1 AS place, printf('OVERSUBSCRIBED: %d of %d run%s had more ranks than processors. Compare by ratio.',
                              crowded, runs, iif(runs = 1, '', 's')) AS said
    FROM measured
    WHERE crowded > 0
    UNION ALL
    -- If fewer than half of the launches were BUSY, they hardly change the overall result. The wait policy of
    -- programs is unknown, so this leaves them out: their own sentences report other load.
    SELECT 2, printf('BUSY: other load in %d of %d launch%s%s', disturbed, launches, iif(launches = 1, '', 'es'),
                     iif(sleeping = runs, ': repeat on an idle machine.',
                         '. Waiting ranks give up their core, and other processes then delay them; ratios may'
                         || ' measure that delay. Repeat on an idle machine, or, where steps take milliseconds,'
                         || ' with ''wait: sleep''.'))
    FROM measured, launched
    WHERE disturbed > 0 AND 2 * disturbed >= launches AND waiting > 0
    UNION ALL
    -- Where ranks yield, collectives of the library are other functions, with settings of their own.
    SELECT 3, 'NONBLOCKING: ' || told_nonblocking(group_concat(ran_as, ', ')) || '.'
    FROM (SELECT DISTINCT ran_as
          FROM result
          WHERE ran_as IS NOT NULL AND kind = 'measured'
            AND point IN (SELECT point FROM run WHERE campaign = (SELECT campaign FROM asked) AND status = 'ok')
          ORDER BY ran_as)
    UNION ALL
    SELECT 4, 'NOT COUNTED: PAPI could not count ' || group_concat(event, ', ') || '.'
    FROM (SELECT c.event
          FROM counter AS c
          JOIN run AS r ON r.id = c.run
          WHERE r.campaign = (SELECT campaign FROM asked) AND r.status = 'ok'
          GROUP BY c.event
          HAVING max(c.value IS NOT NULL) = 0
          ORDER BY c.event)
    UNION ALL
    -- The fastest by the model is that of the contenders whose time it tells.
    SELECT 5, 'NOT PREDICTED: the model has no time of '
              || group_concat(contender || iif(untold = n, '', printf(' (%d of %d points)', untold, n)), ', ') || '.'
    FROM (SELECT contender, sum(NOT told) AS untold, count(*) AS n FROM mine GROUP BY contender ORDER BY contender)
    WHERE untold > 0 AND EXISTS (SELECT 1 FROM mine WHERE told)
)
WHERE said IS NOT NULL
ORDER BY place
