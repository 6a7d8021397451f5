-- title: Mapping, measured: communication time under each placement over the links that a byte crosses by the model
-- sweep: mapping-measured
-- rows: placement IS NOT NULL AND placement_cardinality IS NOT NULL AND communication_s IS NOT NULL
-- rows: AND kind = 'measured'
-- table: arrays_raced mapping_placements
-- environments: all
-- panel: panel
-- series: placement
-- cells: interval
-- heads: interval ratio [95 %]
-- data: ratio ratio_low ratio_high noise_low noise_high links
-- size: 1100x560
--
-- Sorted from best to worst in each problem, by the ratio to the reference of their races, round by round, with its 95
-- % interval over the launches. 'noise' is the ratio of the reference to itself. 'over best' is the ratio to the
-- best, and in the last row shows the value of a good placement here; one launch has no interval. 'links' is the mean
-- number of links that a byte crosses in the topology, and 'model' the order of the placements by it. 'order holds'
-- counts placements that are significantly in the model's order, among those in one race with this one and with other
-- links by the model; 'against' counts those in the opposite order.
SELECT printf('%s, %d ranks, %.0f KiB', workload, ranks, bytes / 1024.0) AS panel,
       place,
       label AS placement,
       printf('%.4g', 1000 * s) AS ms,
       CASE WHEN is_reference THEN '1 (reference)'
            ELSE told_ratio(ratio, low, high) END AS interval,
       told_ratio(over_best, over_best_low, over_best_high) AS 'over best',
       CASE WHEN noise_low IS NULL THEN 'one launch'
            ELSE printf('[%.2f, %.2f]', noise_low, noise_high) END AS noise,
       printf('%.3f', links) AS 'links, modelled',
       printf('%.3g', 1e6 * latency_s) AS 'latency us, modelled',
       model_place AS model,
       printf('%d of %d', holds, differ) AS 'order holds',
       against,
       moved,
       n AS samples,
       ratio,
       low AS ratio_low,
       high AS ratio_high,
       noise_low,
       noise_high,
       links
FROM mapping_placements
WHERE kind = 'measured'
ORDER BY workload DESC, ranks, problem, place;

-- says
-- Moh, Yu, Youn, Lee and Han by execution, for each problem, by the ratios to the reference of the races. The
-- first statement is that bm saves more than sm, relative to rm's mean, for processes of a mesh, such as a
-- stencil's. It holds if it does with separate intervals, and by more than the noise's reach, in part if both
-- save. One launch, or a saving below the noise's reach, has no verdict. Other patterns only get the numbers.
-- The second statement is that time follows the model's links. It holds if no pair of placements that raced is
-- significantly in the opposite order and most are significantly in this one, in part if more are in this order
-- than not. It has no verdict without a significant difference. A pair counts if the model gives it different
-- numbers of links.
WITH problems AS (
    SELECT kind, problem, workload, ranks, max(bytes) AS bytes, max(messages) AS messages,
           min(n) AS n,
           total(holds) / 2 AS holds, total(against) / 2 AS against, total(differ) / 2 AS differ,
           max(rm_ratio) AS rm_s, total(placement = 'rm') AS draws,
           max(CASE placement WHEN 'sm' THEN ratio END) AS sm_s,
           max(CASE placement WHEN 'sm' THEN low END) AS sm_low_s,
           max(CASE placement WHEN 'sm' THEN high END) AS sm_high_s,
           max(CASE placement WHEN 'bm' THEN ratio END) AS bm_s,
           max(CASE placement WHEN 'bm' THEN low END) AS bm_low_s,
           max(CASE placement WHEN 'bm' THEN high END) AS bm_high_s,
           min(CASE placement WHEN 'rm' THEN low END) AS rm_low_s,
           max(CASE placement WHEN 'rm' THEN high END) AS rm_high_s,
           iif(kind = 'measured', max(max(ln(noise_high), -ln(noise_low))), 0) AS noise,
           max(CASE place WHEN 1 THEN label END) AS best
    FROM mapping_placements
    GROUP BY kind, problem
),
worst AS (
    SELECT kind, problem, label AS worst, over_best AS factor,
           CASE WHEN over_best_low < over_best_high THEN printf(' [%.2f, %.2f]', over_best_low, over_best_high)
                ELSE '' END AS span
    FROM mapping_placements
    GROUP BY kind, problem
    HAVING place = max(place)
),
-- 1 if one takes significantly less than another, and by more than the noise's reach; NULL if unknown.
told AS (
    SELECT *, bm_high_s < sm_low_s AND ln(sm_s / bm_s) > noise AS bm_below_sm,
           sm_high_s < rm_low_s AND ln(rm_s / sm_s) > noise AS sm_below_rm,
           bm_high_s < rm_low_s AND ln(rm_s / bm_s) > noise AS bm_below_rm,
           (bm_low_s > sm_high_s AND ln(bm_s / sm_s) > noise) OR (sm_low_s > rm_high_s AND ln(sm_s / rm_s) > noise)
               OR (bm_low_s > rm_high_s AND ln(bm_s / rm_s) > noise) AS is_otherwise
    FROM problems
),
named AS (
    SELECT *, printf('%s, %d ranks, messages of %s: ', workload, ranks,
                     CASE WHEN bytes / messages >= 1024
                          THEN printf('%.4g KiB', bytes / messages / 1024.0)
                          ELSE printf('%.4g B', 1.0 * bytes / messages) END) AS name
    FROM told
)
SELECT n.workload, n.ranks, n.bytes, 1 AS place, n.kind,
       CASE workload WHEN 'stencil' THEN 'sm saves time over rm, and bm more' END AS claim,
       CASE WHEN workload <> 'stencil' THEN NULL
            WHEN bm_below_sm AND sm_below_rm THEN 'yes'
            WHEN sm_below_rm AND bm_below_rm THEN 'partly'
            WHEN is_otherwise THEN 'no' END AS holds,
       printf('%srelative to the mean time of %d rm, sm takes %.1f %% %s, bm %.1f %% %s%s.', name, draws,
              100 * abs(1 - sm_s / rm_s), iif(sm_s > rm_s, 'more', 'less'),
              100 * abs(1 - bm_s / rm_s), iif(bm_s > rm_s, 'more', 'less'),
              CASE WHEN n.n > 1 THEN printf(' (n = %d and more)', n.n) ELSE '' END) AS sentence
FROM named AS n
WHERE sm_s IS NOT NULL AND bm_s IS NOT NULL AND rm_s > 0
UNION ALL
SELECT n.workload, n.ranks, n.bytes, 2, n.kind, 'The fewer links by the model, the faster',
       CASE WHEN holds + against = 0 THEN NULL
            WHEN against = 0 AND holds >= 0.5 * differ THEN 'yes'
            WHEN holds > against THEN 'partly'
            ELSE 'no' END,
       printf('%sof %d pairs %d are so, %d the other way round%s; the worst placement (%s) takes %.2fx%s '
              || 'the time of the best (%s).', name, differ, holds, against,
              CASE WHEN n.n > 1 THEN ', by their ratios in each round' ELSE '' END, w.worst, w.factor, w.span, best)
FROM named AS n
JOIN worst AS w ON w.kind = n.kind AND w.problem = n.problem
WHERE differ > 0
ORDER BY 1 DESC, 2, 3, 4;
