-- Values of environments by their path, an array as one; with their environments, unless all have the same.
WITH here AS (
    SELECT DISTINCT environment AS id FROM job WHERE json_extract(facts, '$.failed') IS NULL
),
leaf AS (
    SELECT e.id, substr(t.fullkey, 3) AS path,
           CASE t.type WHEN 'null' THEN 'null' WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'
               ELSE CAST(t.value AS TEXT) END AS value
    FROM environment AS e, json_tree(e.described) AS t
    WHERE e.id IN (SELECT id FROM here) AND t.type <> 'object' AND instr(t.fullkey, '[') = 0
)
SELECT path AS key, value,
       CASE count(*) WHEN (SELECT count(*) FROM here) THEN 'all'
           ELSE group_concat(substr(id, 1, 8), ', ') END AS environments,
       CASE count(*) WHEN (SELECT count(*) FROM here) THEN NULL
           ELSE (SELECT group_concat(campaign, ', ')
                 FROM (SELECT DISTINCT j.campaign
                       FROM job AS j
                       WHERE j.environment IN (SELECT l.id FROM leaf AS l
                                               WHERE l.path = leaf.path AND l.value = leaf.value)
                       ORDER BY j.campaign)) END AS campaigns
FROM leaf
GROUP BY path, value
ORDER BY instr(path, '.') > 0, path, min(id)
