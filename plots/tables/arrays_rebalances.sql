-- Stencils whose speeds change: a row for each point of `chosen` whose array is cut anew, beside the
-- same that never is. saved_s: the time of a sample that is saved by it, at least and at most by the
-- ends of both intervals. left_over: iterations after the change; after_cut: those after the look that
-- first sees nothing but the new speeds, where after-change cuts. cut_s: cutting and moving.
-- even: of how many iterations after the cut the saving is what cutting and moving took; measured, and
-- as the model has both. Where a sweep is not saved anything, or nothing was cut, it is NULL.
WITH timed AS (
    SELECT environment, started, ranks, decomposition, params,
           json_remove(instance, '$.rebalance', '$.look-every') AS problem,
           coalesce(params ->> '$.rebalance', 'never') AS rebalance,
           CAST(params ->> '$.look-every' AS INTEGER) AS look_every,
           CAST(params ->> '$.iterations' AS INTEGER) AS iterations,
           CAST(params ->> '$.speeds-after' AS INTEGER) AS changed_at,
           n, step_s, step_low_s, step_high_s, rebalance_s, move_s, rebalances, moved_bytes,
           iteration_before_s, iteration_changed_s, iteration_after_s, saving_predicted_s,
           cut_predicted_s
    FROM chosen
    WHERE step_s IS NOT NULL
),
beside AS (
    SELECT r.*,
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
    WHERE r.rebalance <> 'never'
)
SELECT environment,
       started,
       ranks,
       decomposition,
       params ->> '$.schedule' AS schedule,
       CAST(params ->> '$.rows' AS INTEGER) AS rows,
       CAST(params ->> '$.columns' AS INTEGER) AS columns,
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
       never_s - step_s AS saved_s,
       never_low_s - step_high_s AS saved_low_s,
       never_high_s - step_low_s AS saved_high_s,
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
