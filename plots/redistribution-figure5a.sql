-- title: Bhat, Prasanna, Raghavendra, Figure 5(a): completion time by their model, P = 64, links of 10 to 200 MB/s (mean and range over the networks)
-- sweep: redistribution-figure5a
-- options: --modelled
-- rows: workload = 'redistribute' AND ranks = 64 AND network = 'random' AND contender = schedule
-- rows: AND schedule IN ('direct', 'greedy', 'load-list', 'best')
-- rows: AND json_extract(params, '$.bandwidth') = '10000000..200000000' AND json_extract(params, '$.startup') IS NULL
-- rows: AND json_extract(params, '$.elements') = 10000000 AND json_extract(params, '$.block') = 2
-- rows: AND json_extract(params, '$.factor') IS NOT NULL AND json_extract(params, '$.reverse') IS NULL
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
--
-- A cell is the mean [least most] of the networks: in ms, then over the lower bound of the same network. The paper's
-- curves survive only in its statements on them: redistribution-claims. load-list and best are not the paper's.
SELECT panel,
       factor,
       series,
       cell,
       value,
       least,
       most,
       networks,
       style
FROM redistribution_curves
ORDER BY panel_place, place, factor;

-- says
-- Figures 5(a) and 5(b) of Bhat, Prasanna and Raghavendra: the distance of each algorithm's means
-- from the lower bound. redistribution-claims judges the paper's statements on it.
SELECT 'modelled' AS kind,
       printf('%s: %.3f to %.3f times the lower bound.', series, min(value), max(value)) AS sentence
FROM plotted
WHERE panel = 'over the lower bound'
GROUP BY series
ORDER BY min(value), series;
