-- title: Bhat, Prasanna, Raghavendra, Figure 4 on links that are uneven: greedy and direct, ms, over the factor K (dashed: simulated; dotted: model)
-- sweep: redistribution-figure4-uneven
-- rows: workload = 'redistribute' AND network LIKE 'drawn-%@%' AND contender = schedule
-- rows: AND schedule IN ('direct', 'greedy') AND coalesce(communication_s, predicted_s) IS NOT NULL
-- rows: AND json_extract(params, '$.factor') IS NOT NULL AND json_extract(params, '$.reverse') IS NULL
-- table: redistribution_points redistribution_factors
-- panel: panel
-- series: schedule
-- style: style
-- pivot: schedule
-- cells: measured simulated modelled
-- data: ms low_ms high_ms simulated_ms model_ms lower_bound_ms networks
-- script: redistribution-figure4
-- size: 960x560
--
-- The paper's emulation as a real experiment: messages of their own lengths on links of different speeds, on networks
-- drawn as `nuce-model network` does. tables/redistribution_factors.sql defines a cell.
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
