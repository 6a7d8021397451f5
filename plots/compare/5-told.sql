-- The results in addition to the points: the distance of a contender from itself, and the rest of `told`.
--
-- `noise_of`: the distance from 1 over the launches, as in the view `noise`, and its mean over the points, with
-- match ''.
CREATE TEMP TABLE noise_of AS
SELECT match, abs(json_extract(e, '$[1]')) + json_extract(e, '$[3]') AS reach
FROM (SELECT match, over_launches(l, known) AS e FROM duplicated GROUP BY match
    UNION ALL SELECT '', over_launches(l, known)
        FROM (SELECT avg(l) AS l, max(known) AS known FROM duplicated GROUP BY launch));
CREATE TEMP TABLE launch_of AS
SELECT l.campaign, l.side, d.busy
FROM (SELECT DISTINCT r.campaign, r.job, c.side FROM compared AS c JOIN run AS r ON r.id = c.run
    WHERE c.match IN (SELECT match FROM matched)) AS l
JOIN disturbed AS d ON d.campaign = l.campaign AND d.id = l.job;
INSERT INTO told
SELECT 'jobs ' || s.side, count(l.side) FROM (SELECT 0 AS side UNION ALL SELECT 1) AS s
    LEFT JOIN launch_of AS l ON l.side = s.side GROUP BY s.side
UNION ALL SELECT 'busy ' || s.side, count(l.side) FROM (SELECT 0 AS side UNION ALL SELECT 1) AS s
    LEFT JOIN launch_of AS l ON l.side = s.side AND l.busy GROUP BY s.side
UNION ALL SELECT 'campaigns', count(DISTINCT campaign) FROM launch_of
UNION ALL SELECT 'drifting', coalesce(sum(drifts), 0) FROM designed
UNION ALL SELECT 'by campaign', coalesce(min(by_campaign), 0) FROM designed
UNION ALL SELECT 'untimed', count(*) FROM matched WHERE untimed = 1
UNION ALL SELECT 'unraced', count(*) FROM matched WHERE untimed = 0 AND match NOT IN (SELECT match FROM launched)
UNION ALL SELECT 'noise low', coalesce(min(noise), 0)
    FROM (SELECT exp(avg(l)) AS noise FROM duplicated GROUP BY match)
UNION ALL SELECT 'noise high', coalesce(max(noise), 0)
    FROM (SELECT exp(avg(l)) AS noise FROM duplicated GROUP BY match)
UNION ALL SELECT 'nonblocking', told_nonblocking(group_concat(ran_as, ', ')) FROM
    (SELECT DISTINCT w.ran_as FROM compared AS c JOIN pooled_run AS p ON p.run = c.run
    JOIN result AS w ON w.point = p.point AND w.environment = p.environment AND w.kind = p.kind AND w.wait = p.wait
    WHERE w.kind = 'measured' AND w.ran_as IS NOT NULL AND c.match IN (SELECT match FROM launched) ORDER BY w.ran_as)
UNION ALL SELECT 'noise reach', coalesce((SELECT reach FROM noise_of WHERE match = ''), 0);

-- A row for each point with results of launches, in the order of equal ratios. unit: of a metric that is not a time
-- ('': without one); is_rate: more of it is better, and its inverse is compared.
CREATE TEMP TABLE told_point AS
SELECT row_number() OVER (ORDER BY c.workload, c.ranks, i.place, c.contender, c.match) - 1 AS place, c.match,
    c.workload, c.contender, i.instance, c.point, c.environment,
    iif((SELECT class FROM asked) = 'file', NULL, m.part) AS part, c.ranks, i.described, i.cells,
    (SELECT o.reach FROM noise_of AS o WHERE o.match = c.match) AS noise,
    CASE WHEN coalesce(json_extract(c.problem, '$.unit'), iif(c.workload = 'program'
            AND (json_extract(c.problem, '$.metric') <> 'wall' OR json_extract(c.problem, '$.series') IS NOT NULL), '', 's'))
            NOT IN ('s', 'ms', 'us', 'ns', 'min', 'h')
        THEN coalesce(json_extract(c.problem, '$.unit'), '') END AS unit,
    json_extract(c.problem, '$.better') = 'higher' AS is_rate
FROM (SELECT match, workload, contender, ranks, problem, point, environment FROM compared
    WHERE match IN (SELECT match FROM launched) GROUP BY match) AS c
JOIN matched AS m ON m.match = c.match
JOIN instance AS i ON i.problem = c.problem AND i.workload = c.workload;

-- Points of one side only, in words: they are named, so that they do not pass for equal.
CREATE TEMP TABLE lone AS SELECT side, name FROM
    (SELECT DISTINCT c.side, c.workload, c.ranks, i.place, c.contender,
        c.workload || coalesce(', ' || c.ranks || CASE c.ranks WHEN 1 THEN ' rank' ELSE ' ranks' END, '')
        || coalesce(', ' || c.contender, '') || CASE i.described WHEN '' THEN '' ELSE ', ' || i.described END AS name
    FROM compared AS c JOIN instance AS i ON i.problem = c.problem AND i.workload = c.workload
    WHERE c.match NOT IN (SELECT match FROM matched))
ORDER BY side, workload, ranks, place, contender, name;
