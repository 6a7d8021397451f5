-- title: What there is
WITH mine AS (
    SELECT kind, status, campaign, point, samples, started
    FROM run
),
kinds AS (
    SELECT kind, count(*) AS runs, count(DISTINCT point) AS points
    FROM mine
    WHERE status = 'ok'
    GROUP BY kind
)
SELECT printf('%d run%s of %d point%s in %d campaign%s, from %s to %s:', count(*),
              iif(count(*) = 1, '', 's'), count(DISTINCT point),
              iif(count(DISTINCT point) = 1, '', 's'), count(DISTINCT campaign),
              iif(count(DISTINCT campaign) = 1, '', 's'), date(min(started)), date(max(started)))
           AS text
FROM mine
HAVING count(*) > 0
UNION ALL
SELECT group_concat(printf('%d %s', runs, kind), ', ')
           || CASE WHEN (SELECT total(status <> 'ok') FROM mine) = 0 THEN '; all ended well.'
                   ELSE (SELECT printf('; %d did not end well.', total(status <> 'ok')) FROM mine)
              END
FROM (SELECT * FROM kinds ORDER BY kind)
HAVING count(*) > 0;
