-- Stencils with changing speeds: a row for each point of `chosen` whose array is cut again, with the same point
-- that never cuts. ratio is the time relative to that, round by round in the launches in which both raced (the view
-- against), with its interval. saved_s is the resulting saving of a sample's time, at least and at most by the ends
-- of the interval. Both are NULL if they never raced, because medians of separate runs are not comparable.
-- left_over is the number of iterations after the change. after_cut is the number after the look that first covers
-- only the new speeds, where after-change cuts. cut_s is the time of cutting and moving. even is the number of
-- iterations after the cut that saves the time of cutting and moving, measured, and by the model. It is NULL if a
-- sweep saves nothing, or nothing was cut.
WITH timed AS (
    SELECT point, wait, environment, started, ranks, decomposition, params,
           json_remove(instance, '$.rebalance', '$.look-every') AS problem,
           coalesce(json_extract(params, '$.rebalance'), 'never') AS rebalance,
           CAST(json_extract(params, '$.look-every') AS INTEGER) AS look_every,
           CAST(json_extract(params, '$.iterations') AS INTEGER) AS iterations,
           CAST(json_extract(params, '$.speeds-after') AS INTEGER) AS changed_at,
           n, step_s, step_low_s, step_high_s, rebalance_s, move_s, rebalances, moved_bytes,
           iteration_before_s, iteration_changed_s, iteration_after_s, saving_predicted_s,
           cut_predicted_s
    FROM chosen
    WHERE step_s IS NOT NULL
),
beside AS (
    SELECT r.*,
           v.ratio,
           v.low AS ratio_low,
           v.high AS ratio_high,
           v.side,
           b.step_s AS never_s,
           b.step_low_s AS never_low_s,
           b.step_high_s AS never_high_s,
           b.iteration_changed_s AS never_iteration_s,
           r.iterations - ((r.changed_at + r.look_every - 1) / r.look_every + 1) * r.look_every
               AS after_cut,
           r.rebalance_s + r.move_s AS cut_s
    FROM timed AS r
    JOIN timed AS b ON b.rebalance = 'never' AND b.ranks = r.ranks AND b.decomposition = r.decomposition
        AND b.problem = r.problem
    LEFT JOIN arrays_raced AS v ON v.point = r.point AND v.baseline = b.point AND v.environment = r.environment
        AND v.wait = r.wait
    WHERE r.rebalance <> 'never'
)
SELECT environment,
       started,
       ranks,
       decomposition,
       json_extract(params, '$.schedule') AS schedule,
       CAST(json_extract(params, '$.rows') AS INTEGER) AS rows,
       CAST(json_extract(params, '$.columns') AS INTEGER) AS columns,
       json_remove(problem, '$.iterations') AS series_of,
       rebalance,
       look_every,
       iterations - changed_at AS left_over,
       n,
       never_s,
       never_low_s,
       never_high_s,
       step_s,
       step_low_s,
       step_high_s,
       ratio,
       ratio_low,
       ratio_high,
       side,
       never_s * (1 - ratio) AS saved_s,
       never_s * (1 - ratio_high) AS saved_low_s,
       never_s * (1 - ratio_low) AS saved_high_s,
       CASE rebalance WHEN 'after-change' THEN saving_predicted_s * after_cut - cut_predicted_s END
           AS saved_predicted_s,
       rebalances,
       moved_bytes,
       never_iteration_s,
       iteration_after_s,
       cut_s,
       cut_predicted_s,
       CASE WHEN rebalances > 0 AND never_iteration_s > iteration_after_s
            THEN cut_s / rebalances / (never_iteration_s - iteration_after_s) END AS even,
       CASE WHEN saving_predicted_s > 0 THEN cut_predicted_s / saving_predicted_s END
           AS even_predicted
FROM beside;
