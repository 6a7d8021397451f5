-- The values in which the two environments of the table `asked` differ, by their path in the JSON.
--
-- They are texts, an array as one. Keys of an object are a group.
WITH leaf AS (
    SELECT e.id, substr(t.fullkey, 3) AS path,
           CASE t.type WHEN 'null' THEN 'null' WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'
               ELSE CAST(t.value AS TEXT) END AS value
    FROM environment AS e, json_tree(e.described) AS t, asked
    WHERE e.id IN (asked.a, asked.b) AND t.type <> 'object' AND instr(t.fullkey, '[') = 0
),
a AS (
    SELECT path, value FROM leaf WHERE id = (SELECT a FROM asked)
),
b AS (
    SELECT path, value FROM leaf WHERE id = (SELECT b FROM asked)
)
SELECT CASE instr(k.path, '.') WHEN 0 THEN 'general' ELSE substr(k.path, 1, instr(k.path, '.') - 1) END AS "group",
       substr(k.path, instr(k.path, '.') + 1) AS key, a.value AS A, b.value AS B
FROM (SELECT DISTINCT path FROM leaf) AS k
LEFT JOIN a ON a.path = k.path
LEFT JOIN b ON b.path = k.path
WHERE a.value IS NOT b.value
ORDER BY instr(k.path, '.') > 0, 1, k.path
