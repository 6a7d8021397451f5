-- title: Ranka, Wang, Kumar, Figure 14: computing a schedule over communicating once; in brackets uses until it is paid for, against ac, alltoallv
-- sweep: exchange-table5
-- rows: workload = 'exchange' AND placement IS NULL AND ranks = 32 AND network IS NULL AND contender = schedule AND pattern = 'uniform'
-- rows: AND degree IN (8, 16)
-- rows: AND kind = 'measured'
-- panel: panel
-- series: schedule
-- style: style
-- pivot: schedule
-- cells: cell
-- data: fraction break_even_ac break_even_alltoallv over_ac instances
-- says: exchange_uses
-- size: 1200x560
--
-- The fraction is the time of computing the schedule once over one communication. In brackets are the break-even counts
-- against ac and alltoallv: the number of exchanges of a pattern that compensates for gathering COM and computing the
-- schedule. never: the schedule is not faster; -: nothing to compare it with. Means are over the instances that all
-- algorithms of a panel and item size have.
WITH counted AS (
    SELECT degree, item_bytes, instance, count(*) AS contenders,
           max(count(*)) OVER (PARTITION BY degree, item_bytes) AS most
    FROM chosen
    GROUP BY degree, item_bytes, instance
),
means AS (
    SELECT c.degree, c.item_bytes, c.schedule, count(*) AS instances,
           avg(c.communication_s) AS communication, avg(c.schedule_s) AS computing,
           avg(c.schedule_s + c.gather_s) AS once
    FROM chosen AS c
    JOIN counted AS k ON k.degree = c.degree AND k.item_bytes = c.item_bytes AND k.instance = c.instance
    WHERE k.contenders = k.most
    GROUP BY c.degree, c.item_bytes, c.schedule
),
against AS (
    SELECT m.*,
           m.communication / b.communication AS over_ac,
           m.communication / v.communication AS over_alltoallv,
           CASE WHEN b.communication > m.communication
                THEN ceil(m.once / (b.communication - m.communication)) END AS break_even_ac,
           CASE WHEN v.communication > m.communication
                THEN ceil(m.once / (v.communication - m.communication)) END
               AS break_even_alltoallv
    FROM means AS m
    LEFT JOIN means AS b ON b.schedule = 'ac' AND b.degree = m.degree AND b.item_bytes = m.item_bytes
    LEFT JOIN means AS v ON v.schedule = 'alltoallv' AND v.degree = m.degree
        AND v.item_bytes = m.item_bytes
)
SELECT printf('d = %d', g.degree) AS panel,
       g.item_bytes,
       g.schedule,
       printf('%.3g (%s, %s)', g.computing / g.communication,
              coalesce(CAST(g.break_even_ac AS INTEGER), iif(g.over_ac IS NULL, '-', 'never')),
              coalesce(CAST(g.break_even_alltoallv AS INTEGER),
                       iif(g.over_alltoallv IS NULL, '-', 'never'))) AS cell,
       g.computing / g.communication AS fraction,
       g.break_even_ac,
       g.break_even_alltoallv,
       g.over_ac,
       g.instances,
       a.place AS style
FROM against AS g
LEFT JOIN schedules AS a ON a.name = g.schedule
WHERE g.schedule NOT IN ('ac', 'alltoallv', 'neighbor')
  AND g.computing / g.communication IS NOT NULL
ORDER BY g.degree, a.place, g.schedule, g.item_bytes;
