-- title: Every key of every environment
--
-- Empty values are unknown.
SELECT substr(e.id, 1, 8) AS environment, substr(t.fullkey, 3) AS key, t.atom AS value
FROM environment AS e
JOIN json_tree(e.described) AS t
WHERE t.type NOT IN ('object', 'array')
  AND e.id IN (SELECT environment FROM job)
ORDER BY e.id, t.id;
