-- Table 4 of Ranka, Wang and Kumar: relative to computing the schedule, compressing COM and building the
-- heaps cost only a small part, which falls as messages grow more; sorting the rows is expensive. The first
-- two hold if all fractions are below a quarter (theirs are at most 0.206), in part if at least half are.
-- The last holds if sorting costs as much as the rest at some degree, in part if it costs at least a
-- quarter.
WITH known AS (
    SELECT quantity, count(*) AS degrees, total(value < 0.25) AS small, max(value) AS most,
           group_concat(printf('%.2g', value), ', ') AS ours,
           group_concat(printf('%.2g', paper_value), ', ') AS paper,
           group_concat(degree, ', ') AS at, min(instances) AS least_instances,
           max(instances) AS most_instances
    FROM (SELECT * FROM plotted WHERE value IS NOT NULL ORDER BY degree)
    GROUP BY quantity
)
SELECT 'measured' AS kind,
       CASE quantity WHEN 'compress' THEN 'Compressing COM is a small part of scheduling (7.3)'
                     WHEN 'heap' THEN 'Building heaps is a small part of scheduling (7.3)'
                     ELSE 'Sorting rows is expensive compared with scheduling (7.3)' END AS claim,
       CASE WHEN quantity = 'sort'
            THEN CASE WHEN most >= 1 THEN 'yes' WHEN most >= 0.25 THEN 'partly' ELSE 'no' END
            WHEN small = degrees THEN 'yes'
            WHEN small >= 0.5 * degrees THEN 'partly'
            ELSE 'no' END AS holds,
       printf('%s times the rest of it at d = %s (paper: %s); means of %s instance%s.',
              ours, at, paper,
              CASE WHEN least_instances = most_instances THEN printf('%d', most_instances)
                   ELSE printf('%d to %d', least_instances, most_instances) END,
              iif(most_instances = 1, '', 's')) AS sentence
FROM known
ORDER BY quantity;
