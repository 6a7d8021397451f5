-- title: Bhat, Prasanna, Raghavendra, Figure 4: greedy and direct, ms, over the factor K; links of 10 to 200 MB/s emulated (dashed: simulated; dotted: model)
-- sweep: redistribution-figure4
-- rows: workload = 'redistribute' AND network = 'emulated' AND contender = schedule
-- rows: AND schedule IN ('direct', 'greedy') AND coalesce(communication_s, predicted_s) IS NOT NULL
-- rows: AND json_extract(params, '$.bandwidth') = '10000000..200000000' AND json_extract(params, '$.startup') IS NULL
-- rows: AND json_extract(params, '$.factor') IS NOT NULL AND json_extract(params, '$.reverse') IS NULL
-- rows: AND coalesce(json_extract(params, '$.symmetric'), 0) = 0
-- table: redistribution_points redistribution_factors
-- panel: panel
-- series: schedule
-- style: style
-- pivot: schedule
-- cells: measured simulated modelled
-- data: ms low_ms high_ms simulated_ms model_ms lower_bound_ms networks
-- size: 1200x560
--
-- For one network the median [95 % interval] of the communication; for several the mean of their medians, without an
-- interval. Simulated (redistribution-figure4-t3e) and modelled times are of the same networks, or alone. The model
-- knows the links' bandwidth (link-bandwidth); deviations of measured times from it come from the machine. The paper's
-- curves survive only in its statements on them: redistribution-claims.
SELECT panel,
       factor,
       schedule,
       measured,
       simulated,
       modelled,
       ms,
       low_ms,
       high_ms,
       simulated_ms,
       model_ms,
       lower_bound_ms,
       networks,
       style
FROM redistribution_factors
ORDER BY ranks, elements, style, factor;

-- says
-- Figure 4 of Bhat, Prasanna and Raghavendra: the saving of greedy over direct, panel by panel, from K
-- to K. Measured times are on emulated links. redistribution-claims judges the paper's statements on it.
WITH times AS (
    SELECT 'emulated' AS kind, panel, factor, schedule, ms FROM plotted
    UNION ALL
    SELECT 'simulated', panel, factor, schedule, simulated_ms FROM plotted
    UNION ALL
    SELECT 'modelled', panel, factor, schedule, model_ms FROM plotted
),
below AS (
    SELECT g.kind, g.panel, 100 * (1 - g.ms / d.ms) AS percent
    FROM times AS g
    JOIN times AS d ON d.schedule = 'direct' AND d.kind = g.kind AND d.panel = g.panel
        AND d.factor = g.factor
    WHERE g.schedule = 'greedy'
      AND g.ms IS NOT NULL
      AND d.ms > 0
)
SELECT kind,
       printf('%s: greedy takes %s less time than direct, over %d value%s of K.', panel,
              CASE WHEN min(percent) < max(percent)
                   THEN printf('%.1f to %.1f %%', min(percent), max(percent))
                   ELSE printf('%.1f %%', max(percent)) END, count(*),
              iif(count(*) = 1, '', 's')) AS sentence
FROM below
GROUP BY kind, panel
ORDER BY kind, panel;
