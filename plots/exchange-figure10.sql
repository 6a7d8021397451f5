-- title: Ranka, Wang, Kumar, Figure 10: heap operations a rank over (d / lambda) ln d, d messages a rank
-- sweep: exchange-figure10
-- rows: workload = 'exchange' AND placement IS NULL AND pattern = 'uniform' AND schedule IN ('rs-nh', 'rs-nh-back') AND heap_operations > 0
-- rows: AND degree > 1
-- rows: AND kind <> 'simulated'
-- panel: panel
-- series: series
-- pivot: series
-- cells: operations
-- data: x value ratio instances
-- size: 1400x560
-- says: exchange_heaps
--
-- With lambda 'chosen', rs-nh chooses it for each phase. The count does not depend on the machine, so measured and
-- modelled counts are equal. Means over the instances. The paper put whole messages back into the heaps, as rs-nh-back
-- does; rs-nh puts back the rest of split ones.
WITH counted AS (
    SELECT schedule, ranks, degree, lambda, instance_number, seed, max(heap_operations) AS operations
    FROM chosen
    GROUP BY schedule, ranks, degree, lambda, instance_number, seed
)
SELECT CASE schedule WHEN 'rs-nh-back' THEN 'whole messages put back, as in the paper'
            ELSE 'remainders of split ones put back' END AS panel,
       degree,
       printf('n = %d, lambda %s', ranks, coalesce(lambda, 'chosen')) AS series,
       printf('%.3g', avg(operations) / ranks) AS operations,
       degree / coalesce(lambda, 1.0) * ln(degree) AS x,
       avg(operations) / ranks AS value,
       avg(operations) / ranks / (degree / coalesce(lambda, 1.0) * ln(degree)) AS ratio,
       count(*) AS instances
FROM counted
GROUP BY schedule, ranks, degree, lambda
ORDER BY schedule DESC, ranks, lambda, degree;
