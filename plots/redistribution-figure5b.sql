-- title: Bhat, Prasanna, Raghavendra, Figure 5(b): completion time by their model over heterogeneity, P = 64, K = 40 (mean and range over the networks)
-- sweep: redistribution-figure5b
-- options: --modelled
-- rows: workload = 'redistribute' AND ranks = 64 AND network = 'random' AND contender = schedule
-- rows: AND schedule IN ('direct', 'greedy', 'load-list', 'best')
-- rows: AND json_extract(params, '$.bandwidth') LIKE '10000000..%' AND json_extract(params, '$.startup') IS NULL
-- rows: AND json_extract(params, '$.elements') = 10000000 AND json_extract(params, '$.block') = 2
-- rows: AND json_extract(params, '$.factor') = 40 AND json_extract(params, '$.reverse') IS NULL
-- rows: AND coalesce(json_extract(params, '$.symmetric'), 0) = 0 AND kind = 'modelled'
-- table: redistribution_points redistribution_curves
-- panel: panel
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value least most networks
-- script: redistribution-model
-- size: 1500x560
-- says: redistribution-figure5a
--
-- A cell is the mean [least most] of the networks: in ms, then over the lower bound of the same network. The paper's
-- curves survive only in its statements on them: redistribution-claims. load-list and best are not the paper's.
SELECT panel,
       heterogeneity,
       series,
       cell,
       value,
       least,
       most,
       networks,
       style
FROM redistribution_curves
ORDER BY panel_place, place, heterogeneity;
