-- title: What there is
WITH mine AS (
    SELECT kind, status, campaign, point, samples, started
    FROM run
),
-- An interrupt is not a failure.
endings AS (
    SELECT CAST(total(status NOT IN ('ok', 'interrupted')) AS INTEGER) AS bad,
           CAST(total(status = 'interrupted') AS INTEGER) AS interrupted
    FROM mine
),
kinds AS (
    SELECT kind, count(*) AS runs, count(DISTINCT point) AS points
    FROM mine
    WHERE status = 'ok'
    GROUP BY kind
)
SELECT printf('%d run%s of %d point%s in %d campaign%s, %s:', count(*),
              iif(count(*) = 1, '', 's'), count(DISTINCT point),
              iif(count(DISTINCT point) = 1, '', 's'), count(DISTINCT campaign),
              iif(count(DISTINCT campaign) = 1, '', 's'),
              iif(date(min(started)) = date(max(started)), date(min(started)),
                  printf('from %s to %s', date(min(started)), date(max(started)))))
           AS text
FROM mine
GROUP BY NULL HAVING count(*) > 0
UNION ALL
SELECT group_concat(printf('%d %s', runs, kind), ', ')
           || (SELECT CASE WHEN bad = 0 AND interrupted = 0 THEN '; all ended well.'
                           WHEN bad = 0 THEN printf('; %d interrupted, all others ended well.', interrupted)
                           WHEN interrupted = 0 THEN printf('; %d did not end well.', bad)
                           ELSE printf('; %d did not end well, %d interrupted.', bad, interrupted) END
               FROM endings)
FROM (SELECT * FROM kinds ORDER BY kind)
GROUP BY NULL HAVING count(*) > 0;
