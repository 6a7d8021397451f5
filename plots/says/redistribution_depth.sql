-- The premise of Bhat, Prasanna and Raghavendra, that a node has one transfer at a time, on each network
-- alone: it fails where anything takes less than the bound that follows from it (by 1 % and more, the
-- interval with it, where there is one), and nothing says so where all take longer. Below it what depth,
-- which is no part of the paper, is worth.
WITH known AS (
    SELECT *, printf('%s, %s, %d ranks, K = %d', machine, network, ranks, factor) AS place,
           coalesce(high_ms, median_ms) * over_single_port / median_ms AS at_most,
           schedule || coalesce(' with ' || depth || ' in flight', '') AS who,
           row_number() OVER (PARTITION BY machine, network, ranks, factor, message_mb
                              ORDER BY CAST(printf('%.4g', median_ms) AS REAL), depth IS NOT NULL,
                                       CAST(depth AS INTEGER)) AS nth
    FROM plotted
    WHERE over_single_port IS NOT NULL
),
below AS (
    SELECT kind, place, message_mb, count(*) AS all_of_them, total(at_most < 0.99) AS below,
           min(over_single_port) AS least, max(CASE nth WHEN 1 THEN who END) AS fastest,
           max(CASE nth WHEN 1 THEN printf('%.3f', over_bound) END) AS fastest_over_bound,
           max(CASE WHEN schedule = 'alltoallv' THEN median_ms END)
               / max(CASE nth WHEN 1 THEN median_ms END) AS library,
           min(n) AS n
    FROM known
    GROUP BY kind, place, message_mb
),
depths AS (
    SELECT place, message_mb,
           group_concat(printf('%s: %.3f', depth, over_bound), ', ') AS sentence
    FROM (SELECT * FROM known WHERE schedule = 'greedy' AND depth IS NOT NULL AND depth <> 'auto'
          ORDER BY CAST(depth AS INTEGER))
    GROUP BY place, message_mb
)
SELECT kind, 'A node has one transfer at a time' AS claim,
       CASE WHEN below > 0 THEN 'no' ELSE 'yes' END AS holds,
       printf('%s: %d of %d take less than the bound that follows from it, the least %.3f of it. '
              || 'Fastest is %s, %s times what nothing can go below%s%s%s.', b.place, below,
              all_of_them, least, fastest, fastest_over_bound,
              coalesce('; greedy with so many in flight, ' || d.sentence, ''),
              CASE WHEN library IS NULL THEN ''
                   ELSE printf('; MPI_Alltoallv takes %.2f times as long', library) END,
              CASE kind WHEN 'measured' THEN printf(' (n = %d and more)', n) ELSE '' END) AS sentence
FROM below AS b
LEFT JOIN depths AS d ON d.place = b.place AND d.message_mb IS b.message_mb
ORDER BY kind, b.place, b.message_mb;
