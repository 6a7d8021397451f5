-- The premise of Bhat, Prasanna and Raghavendra, that a node has one transfer at a time, on each network alone. It
-- fails if anything takes less than the bound that follows from it (by 1 % and more, including its interval, if
-- there is one). Longer times give no result. Races name the fastest. Then follows the value of depth, which is no
-- part of the paper.
WITH known AS (
    SELECT *, printf('%s, %s, %d ranks, K = %d', machine, network, ranks, factor) AS place,
           coalesce(high_ms, median_ms) * over_single_port / median_ms AS at_most,
           schedule || coalesce(' with ' || in_flight || ' in flight', '') AS who
    FROM plotted
    WHERE over_single_port IS NOT NULL
),
below AS (
    SELECT kind, place, message_mb, count(*) AS all_of_them, total(at_most < 0.99) AS below,
           min(over_single_port) AS least, total(is_best) AS fastest,
           group_concat(who, ', ') FILTER (WHERE is_best) AS best,
           printf('%.3f', min(ratio_to_bound) FILTER (WHERE is_best)) AS best_least,
           printf('%.3f', max(ratio_to_bound) FILTER (WHERE is_best)) AS best_most,
           min(ratio_to_bound) AS least_ratio_to_bound, min(n) AS n
    FROM (SELECT * FROM known ORDER BY schedule, CAST(in_flight AS INTEGER))
    GROUP BY kind, place, message_mb
),
depths AS (
    SELECT place, message_mb,
           group_concat(printf('%s: %.3f', in_flight, ratio_to_bound), ', ') AS sentence
    FROM (SELECT * FROM known WHERE schedule = 'greedy' AND in_flight IS NOT NULL AND in_flight <> 'auto'
          ORDER BY CAST(in_flight AS INTEGER))
    GROUP BY place, message_mb
)
SELECT kind, 'A node has one transfer at a time' AS claim,
       CASE WHEN below > 0 THEN 'no' ELSE 'yes' END AS holds,
       printf('%s: %d of %d take less than the bound that follows from it, the least %.3f of it. '
              || '%s times the lower bound%s%s.', b.place, below, all_of_them, least,
              CASE WHEN fastest = 0 THEN printf('The least is %.3f', least_ratio_to_bound)
                   ELSE iif(fastest = 1, 'Fastest is ', 'Fastest, without a significant difference, are ') || best || ', ' || best_least
                        || iif(best_least = best_most, '', ' to ' || best_most) END,
              coalesce('; greedy with that many in flight, ' || d.sentence, ''),
              CASE kind WHEN 'measured' THEN printf(' (n = %d and more)', n) ELSE '' END) AS sentence
FROM below AS b
LEFT JOIN depths AS d ON d.place = b.place AND d.message_mb IS b.message_mb
ORDER BY kind, b.place, b.message_mb;
