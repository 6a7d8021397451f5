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

-- says
-- Figure 10 of Ranka, Wang and Kumar: heap operations per rank in proportion to (d / lambda) ln d, with a
-- constant ratio over d. It holds if the ratios of a line differ by at most 15 %. The paper counted with
-- whole messages put back; the count with split messages is also given, without a verdict.
WITH lines AS (
    SELECT panel, panel LIKE 'whole%' AS is_paper, min(ratio) AS least, max(ratio) AS most
    FROM plotted
    GROUP BY panel, series
    HAVING count(*) > 1
)
SELECT 'Heap operations grow as (d / lambda) ln d (5.2)'
           || CASE WHEN is_paper THEN '' ELSE ', with messages split' END AS claim,
       CASE WHEN NOT is_paper THEN NULL
            WHEN total(most <= 1.15 * least) = count(*) THEN 'yes'
            WHEN total(most <= 1.15 * least) = 0 THEN 'no'
            ELSE 'partly' END AS holds,
       printf('On %d of %d lines the ratio of both changes by at most 15 %%; over all it is %.2f to %.2f.',
              total(most <= 1.15 * least), count(*), min(least), max(most)) AS sentence
FROM lines
GROUP BY is_paper
ORDER BY is_paper DESC;
