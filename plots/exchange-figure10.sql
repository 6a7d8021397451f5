-- title: Ranka, Wang, Kumar, Figure 10: heap operations of rs-nh a rank over (d / lambda) ln d, d messages a rank
-- sweep: exchange-figure10
-- rows: workload = 'exchange' AND placement IS NULL AND pattern = 'uniform' AND schedule = 'rs-nh' AND heap_operations > 0
-- rows: AND density > 1
-- rows: AND kind <> 'simulated'
-- panel: panel
-- series: series
-- pivot: series
-- cells: operations
-- data: x value ratio instances
-- size: 960x600
-- says: exchange_heaps
--
-- lambda 'chosen' is what rs-nh finds for each phase. The count does not depend on the machine: what
-- was measured and what was modelled give the same. Means over the instances. The paper put whole
-- messages back into the heaps; here it is what is left of split ones.
WITH counted AS (
    SELECT ranks, density, lambda, instance_number, seed, max(heap_operations) AS operations
    FROM chosen
    GROUP BY ranks, density, lambda, instance_number, seed
)
SELECT 'heap operations' AS panel,
       density,
       printf('n = %d, lambda %s', ranks, coalesce(lambda, 'chosen')) AS series,
       printf('%.3g', avg(operations) / ranks) AS operations,
       density / coalesce(lambda, 1.0) * ln(density) AS x,
       avg(operations) / ranks AS value,
       avg(operations) / ranks / (density / coalesce(lambda, 1.0) * ln(density)) AS ratio,
       count(*) AS instances
FROM counted
GROUP BY ranks, density, lambda
ORDER BY ranks, lambda, density;
