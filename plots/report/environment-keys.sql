-- title: Every key of every environment
--
-- ?1 is the campaign, or NULL for all. What is empty is not known.
SELECT substr(e.id, 1, 8) AS environment, substr(t.fullkey, 3) AS key, t.atom AS value
FROM environment AS e
JOIN json_tree(e.described) AS t
WHERE t.type NOT IN ('object', 'array')
  AND e.id IN (SELECT j.environment
               FROM job AS j
               WHERE j.campaign = ?1 OR ?1 IS NULL)
ORDER BY e.id, t.id;
