-- title: Arrays, measured: which decomposition is fastest, by how much, and the correlation with Acost
-- sweep: arrays-measured
-- rows: workload = 'stencil' AND kind = 'measured' AND decomposition IS NOT NULL AND step_s IS NOT NULL
-- rows: AND placement IS NULL AND json_extract(params, '$.speeds-after') IS NULL
-- table: arrays_raced arrays_measured
-- data: winner times_grid times_grid_least times_grid_most next next_ratio next_least next_most
-- data: beats_grid acost_rho acost_low acost_high halo_rho halo_low halo_high predicted_rho predicted_low
-- data: predicted_high decompositions
-- verdict: Arrays: which decomposition wins
--
-- A row for each rank count, array and speeds, and one of all. who_wins has the decomposition with the least time
-- in the races, and those without a significant difference from the fastest (the view standing). It also has the
-- ratios of the first of the others (next) and of the grid, with 95 % intervals over launches. Decompositions that
-- never raced in one race, or in one launch alone, are not compared. does_Acost_tell is Spearman's rank
-- correlation of Acost with the time of an iteration and with its halo. Its 95 % bootstrap interval is over the
-- decompositions (kernels/base/rank_correlation.h). It covers decompositions that give each rank its share, so not
-- grid, whose times Acost does not describe. predicted is the correlation of the model's time with the measured
-- one, grid included. Fewer than four decompositions have no correlation. A correlation predicts if its interval
-- is above 0, weakly if it is less than a half. The last row ranks within each of the others, about its middle,
-- and combines all these ranks.
WITH known AS (
    SELECT *, decomposition <> 'grid' AS balanced,
           row_number() OVER (PARTITION BY ranks, problem
                              ORDER BY coalesce(over_least, iteration_s), place) AS nth
    FROM arrays_measured
    WHERE acost IS NOT NULL
),
-- Alike: not slower than any, or unknown.
against_winner AS (
    SELECT k.*, w.decomposition AS winner,
           coalesce(r.ratio, k.iteration_s / w.iteration_s) AS time_ratio, -- ratio is that of the speeds
           r.low AS time_ratio_low,
           r.high AS time_ratio_high,
           coalesce(k.is_best, 1) AS alike
    FROM known AS k
    JOIN known AS w ON w.ranks = k.ranks AND w.problem = k.problem AND w.nth = 1
    LEFT JOIN arrays_raced AS r ON r.point = k.point AND r.baseline = w.point AND r.environment = k.environment
        AND r.wait = k.wait
),
-- Ranks within a row, about its middle; equal values get the mean of their ranks.
ranked AS (
    SELECT balanced,
           rank() OVER by_acost + 0.5 * (count(*) OVER by_acost - count(*) OVER cell)
               AS acost_place,
           rank() OVER by_iteration + 0.5 * (count(*) OVER by_iteration - count(*) OVER cell)
               AS iteration_place,
           CASE WHEN halo_s IS NOT NULL
                THEN rank() OVER by_halo + 0.5 * (count(*) OVER by_halo - count(*) OVER cell)
                END AS halo_place
    FROM known
    WINDOW cell AS (PARTITION BY ranks, problem, balanced),
           by_acost AS (cell ORDER BY acost GROUPS CURRENT ROW),
           by_iteration AS (cell ORDER BY iteration_s GROUPS CURRENT ROW),
           by_halo AS (cell ORDER BY halo_s GROUPS CURRENT ROW)
),
predicted AS (
    SELECT rank() OVER by_predicted + 0.5 * (count(*) OVER by_predicted - count(*) OVER cell)
               AS predicted_place,
           rank() OVER by_iteration + 0.5 * (count(*) OVER by_iteration - count(*) OVER cell)
               AS iteration_place
    FROM known
    WHERE predicted_s IS NOT NULL
    WINDOW cell AS (PARTITION BY ranks, problem),
           by_predicted AS (cell ORDER BY predicted_s GROUPS CURRENT ROW),
           by_iteration AS (cell ORDER BY iteration_s GROUPS CURRENT ROW)
),
correlations AS (
    SELECT ranks, problem,
           CASE WHEN total(balanced) >= 4
                THEN rank_correlation(acost, iteration_s) FILTER (WHERE balanced) END AS acost,
           CASE WHEN total(balanced AND halo_s IS NOT NULL) >= 4
                THEN rank_correlation(acost, halo_s) FILTER (WHERE balanced) END AS halo,
           CASE WHEN count(predicted_s) >= 4
                THEN rank_correlation(predicted_s, iteration_s) END AS predicted
    FROM known
    GROUP BY ranks, problem
    UNION ALL
    SELECT NULL, NULL,
           (SELECT rank_correlation(acost_place, iteration_place) FROM ranked WHERE balanced
            GROUP BY NULL HAVING count(*) >= 4),
           (SELECT rank_correlation(acost_place, halo_place) FROM ranked WHERE balanced
            GROUP BY NULL HAVING count(halo_place) >= 4),
           (SELECT rank_correlation(predicted_place, iteration_place) FROM predicted
            GROUP BY NULL HAVING count(*) >= 4)
),
spelled AS (
    SELECT ranks, problem,
           json_extract(acost, '$[0]') AS acost_rho, json_extract(acost, '$[1]') AS acost_low, json_extract(acost, '$[2]') AS acost_high,
           json_extract(halo, '$[0]') AS halo_rho, json_extract(halo, '$[1]') AS halo_low, json_extract(halo, '$[2]') AS halo_high,
           json_extract(predicted, '$[0]') AS predicted_rho, json_extract(predicted, '$[1]') AS predicted_low,
           json_extract(predicted, '$[2]') AS predicted_high
    FROM correlations
),
words (ranks, problem, what, place, rho, low, high) AS (
    SELECT ranks, problem, 'Acost and time', 1, acost_rho, acost_low, acost_high FROM spelled
    UNION ALL
    SELECT ranks, problem, 'Acost and halo', 2, halo_rho, halo_low, halo_high FROM spelled
    UNION ALL
    SELECT ranks, problem, 'predicted and time', 3, predicted_rho, predicted_low, predicted_high
    FROM spelled
),
told AS (
    SELECT ranks, problem,
           group_concat(what || CASE WHEN low IS NULL THEN ': not known'
                                     WHEN low > 0 THEN iif(rho < 0.5, ': weakly', ': yes')
                                     WHEN high < 0 THEN ': the other way round'
                                     ELSE ': no' END
                        || CASE WHEN rho IS NULL THEN '' ELSE printf(', %.2f', rho) END
                        || CASE WHEN low IS NULL THEN ''
                                ELSE printf(' [%.2f, %.2f]', low, high) END,
                        '; ') AS sentence
    FROM (SELECT * FROM words WHERE rho IS NOT NULL ORDER BY place)
    GROUP BY ranks, problem
),
fought AS (
    SELECT a.ranks, a.problem, a.array, a.array_rows, a.array_columns, a.ratio, a.winner,
           count(*) AS decompositions,
           group_concat(a.decomposition, ', ') FILTER (WHERE a.alike AND a.nth > 1) AS others,
           min(a.nth) FILTER (WHERE NOT a.alike) AS next_nth,
           max(a.gain) FILTER (WHERE a.nth = 1) AS gain,
           max(a.gain_low) FILTER (WHERE a.nth = 1) AS gain_low,
           max(a.gain_high) FILTER (WHERE a.nth = 1) AS gain_high,
           max(a.gain_side) FILTER (WHERE a.nth = 1) AS gain_side
    FROM (SELECT * FROM against_winner ORDER BY place) AS a
    GROUP BY a.ranks, a.problem
)
SELECT f.ranks,
       coalesce(f.array, 'all') AS array,
       f.ratio,
       CASE f.decompositions WHEN 1 THEN 'only ' || f.winner || ' was measured'
                             ELSE f.winner END || coalesce(' (no significant difference from ' || f.others || ')', '')
           || CASE WHEN f.winner = 'grid' OR f.gain IS NULL THEN ''
                   ELSE ' takes ' || told_ratio(1 / f.gain, 1 / f.gain_high, 1 / f.gain_low)
                       || ' the time of grid' END
           || coalesce('; ' || x.decomposition || ' takes ' || told_ratio(x.time_ratio, x.time_ratio_low, x.time_ratio_high)
                       || ' the time of ' || f.winner, '') AS who_wins,
       t.sentence AS does_Acost_tell,
       f.winner,
       f.gain AS times_grid,
       f.gain_low AS times_grid_least,
       f.gain_high AS times_grid_most,
       f.gain_side AS beats_grid,
       x.decomposition AS next,
       x.time_ratio AS next_ratio,
       x.time_ratio_low AS next_least,
       x.time_ratio_high AS next_most,
       s.acost_rho, s.acost_low, s.acost_high,
       s.halo_rho, s.halo_low, s.halo_high,
       s.predicted_rho, s.predicted_low, s.predicted_high,
       f.decompositions
FROM spelled AS s
LEFT JOIN told AS t ON t.ranks IS s.ranks AND t.problem IS s.problem
LEFT JOIN fought AS f ON f.ranks = s.ranks AND f.problem = s.problem
LEFT JOIN against_winner AS x ON x.ranks = f.ranks AND x.problem = f.problem AND x.nth = f.next_nth
WHERE f.ranks IS NOT NULL
   OR t.sentence IS NOT NULL
ORDER BY f.ranks IS NULL, f.ranks, f.array_rows * f.array_columns, f.array, f.ratio, f.problem;

-- says
-- Tests if Acost predicts the fast decomposition. It does if the interval of the correlation is above 0, in
-- part if the correlation is less than a half, and not if the interval is below 0. Then the winner of each
-- array at each ratio of speeds, and the number of ratios at which it is significantly faster than grid. With a
-- single measured decomposition there is no winner.
WITH fought AS (
    SELECT *, CASE WHEN ratio IS NULL THEN 'unknown' ELSE printf('%g', ratio) END AS at
    FROM plotted
    WHERE winner IS NOT NULL
      AND decompositions > 1
),
arrays AS (
    SELECT ranks, array, count(*) AS ratios, total(winner = 'grid') AS lost,
           count(times_grid) AS beside_grid,
           total(winner <> 'grid' AND beats_grid = 1) AS sure,
           group_concat(at, ', ') AS all_of_them,
           group_concat('at ratio ' || at || CASE
               WHEN winner = 'grid' THEN ' no decomposition beats grid'
               WHEN times_grid IS NULL THEN ' ' || winner
               ELSE printf(' %s (%.2fx the time of grid)', winner, 1 / times_grid) END, ', ') AS each
    FROM (SELECT * FROM fought ORDER BY ratio)
    GROUP BY ranks, array
)
SELECT 1 AS place, 'measured' AS kind, 'The less Acost, the faster the iteration' AS claim,
       CASE WHEN acost_low > 0 THEN iif(acost_rho < 0.5, 'partly', 'yes') WHEN acost_high < 0 THEN 'no' END AS holds,
       does_Acost_tell || ' (rank correlations).' AS sentence
FROM plotted
WHERE winner IS NULL
  AND does_Acost_tell IS NOT NULL
UNION ALL
SELECT 2, 'measured', NULL, NULL,
       printf('%d ranks, %s: ', ranks, array)
           || CASE WHEN lost = ratios
                   THEN printf('no decomposition beats grid, at ratio%s %s', iif(ratios = 1, '', 's'),
                               all_of_them)
                   WHEN beside_grid = 0 THEN each
                   WHEN sure = 0 THEN 'none is significantly faster than grid; the least times are ' || each
                   ELSE printf('%s; significantly faster than grid at %d of %d', each, sure, ratios) END
           || '.'
FROM arrays
ORDER BY place, sentence;
