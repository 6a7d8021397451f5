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

-- says
-- Figure 14 of Ranka, Wang and Kumar: the cost of a schedule relative to one use. For messages of up to
-- 16 KiB, which are items of 512 bytes, rs-n's cost is below a quarter; rs-nh's is more, and negligible
-- for larger messages. The first holds if it does at all sizes from there on. The second holds if
-- rs-nh's is above rs-n's everywhere. The third holds if it is below a twentieth from items of 1 KiB on.
-- Each holds in part if it does at half of the sizes at least. Then follows the number of uses that pays
-- for a schedule.
WITH cells AS (
    SELECT h.panel, h.item_bytes, h.fraction AS heap, n.fraction AS plain
    FROM plotted AS h
    LEFT JOIN plotted AS n ON n.schedule = 'rs-n' AND n.panel = h.panel AND n.item_bytes = h.item_bytes
    WHERE h.schedule = 'rs-nh'
),
judged (place, claim, good, value) AS (
    SELECT 1, 'Scheduling by rs-n is below a quarter of using it once, messages of 16 KiB on (7.3.1)',
           fraction < 0.25, fraction
    FROM plotted
    WHERE schedule = 'rs-n' AND item_bytes >= 512
    UNION ALL
    SELECT 2, 'Heaps are expensive: rs-nh''s scheduling costs more than rs-n''s (7.3.1)', heap > plain, heap / plain
    FROM cells
    WHERE plain > 0
    UNION ALL
    SELECT 3, 'Scheduling by rs-nh is negligible for messages larger than 16 KiB (7.3.1)', heap < 0.05, heap
    FROM cells
    WHERE item_bytes >= 1024
),
uses AS (
    SELECT schedule, count(*) AS cells, count(break_even_ac) AS paid, min(break_even_ac) AS least,
           max(break_even_ac) AS most
    FROM plotted
    WHERE schedule IN ('rs-n', 'rs-nh')
      AND over_ac IS NOT NULL
    GROUP BY schedule
)
SELECT 'measured' AS kind, claim,
       CASE WHEN total(good) = count(*) THEN 'yes' WHEN total(good) >= 0.5 * count(*) THEN 'partly'
            ELSE 'no' END AS holds,
       CASE WHEN min(value) < max(value) THEN printf('%.3g to %.3g', min(value), max(value))
            ELSE printf('%.3g', max(value)) END
           || printf(' times %s; so at %d of %d degrees and sizes.',
                     iif(place = 2, 'as much', 'one communication'), total(good), count(*)) AS sentence
FROM judged
GROUP BY place
UNION ALL
SELECT 'measured', NULL, NULL,
       printf('%s against ac: ', schedule)
           || CASE WHEN paid = 0 THEN 'its schedule is never paid for, as ac is faster'
                   ELSE printf('its schedule is paid for after %s use%s at %d of %d degrees and sizes'
                               || '%s',
                               CASE WHEN least = most THEN printf('%d', most)
                                    ELSE printf('%d to %d', least, most) END,
                               iif(most = 1, '', 's'), paid, cells,
                               iif(paid = cells, '', ', never at the others')) END || '.'
FROM uses;
