-- title: Arrays, measured: ms of an iteration under each decomposition, its computation and its halo, beside the model's
-- sweep: arrays-measured
-- rows: workload = 'stencil' AND kind = 'measured' AND decomposition IS NOT NULL AND step_s IS NOT NULL
-- rows: AND placement IS NULL AND json_extract(params, '$.speeds-after') IS NULL
-- table: arrays_raced arrays_measured
-- data: iteration_ms low_ms high_ms gain gain_low gain_high exchange_ms port_halo_ms speeds n
--
-- Milliseconds, medians [95 % interval]. ratio is the fastest rank's speed over the slowest's. times_grid is the
-- speed-up over the grid of equal parts [at least, at most: the ends of both intervals]. computation is that of the
-- busiest rank; balance is that over the mean of all ranks; halo is the rest of the iteration. predicted is the
-- computation by cells and rates, and halo_model follows from Acost, tau and mu, both by the hosts' newest calibration
-- (nuce run arrays-speeds, nuce run arrays-links). They are empty without a calibration; computation and halo are empty
-- if they overlap.
SELECT ranks,
       array,
       ratio,
       decomposition,
       CASE WHEN iteration_low_s IS NULL THEN printf('%.4g', 1000 * iteration_s)
            ELSE printf('%.4g [%.4g, %.4g]', 1000 * iteration_s, 1000 * iteration_low_s,
                        1000 * iteration_high_s) END AS iteration,
       CASE WHEN decomposition = 'grid' THEN '1'
            WHEN gain IS NULL THEN NULL
            WHEN gain_low IS NULL THEN printf('%.2f', gain)
            ELSE printf('%.2f [%.2f, %.2f]', gain, gain_low, gain_high) END AS times_grid,
       CASE WHEN computation_s IS NOT NULL THEN printf('%.4g', 1000 * computation_s) END
           AS computation,
       CASE WHEN load_balance IS NOT NULL THEN printf('%.2f', load_balance) END AS balance,
       CASE WHEN halo_s IS NOT NULL THEN printf('%.4g', 1000 * halo_s) END AS halo,
       CASE WHEN acost IS NOT NULL THEN printf('%.6g', acost) END AS Acost,
       edges,
       CASE WHEN predicted_s IS NOT NULL THEN printf('%.4g', 1000 * predicted_s) END AS predicted,
       CASE WHEN predicted_computation_s IS NOT NULL
            THEN printf('%.4g', 1000 * predicted_computation_s) END AS computation_model,
       CASE WHEN paper_halo_s IS NOT NULL THEN printf('%.4g', 1000 * paper_halo_s) END AS halo_model,
       1000 * iteration_s AS iteration_ms,
       1000 * iteration_low_s AS low_ms,
       1000 * iteration_high_s AS high_ms,
       gain,
       gain_low,
       gain_high,
       1000 * exchange_s AS exchange_ms,
       1000 * port_halo_s AS port_halo_ms,
       speeds,
       n
FROM arrays_measured
ORDER BY ranks, array_rows * array_columns, array, ratio, problem, place;
