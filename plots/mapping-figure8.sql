-- title: Moh, Yu, Youn, Lee, Han, Figure 8: latency with 10 % distant messages by their model, us, 256 nodes and 75 switches
-- sweep: mapping-figures
-- rows: workload = 'mapping' AND kind = 'modelled' AND params ->> '$.switches' = 75
-- rows: AND params ->> '$.ports' = 8 AND params ->> '$.nodes' = 256
-- rows: AND params ->> '$.connectivity' = 0.75 AND params ->> '$.routing' = 'updown'
-- rows: AND params ->> '$."per-node"' = 1 AND params ->> '$.layout' IS NULL
-- rows: AND params ->> '$.mesh' IN ('4x4', '8x8', '12x12', '16x16')
-- paper: mapping-latency
-- table: mapping_means mapping_curves
-- panel: panel
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value low high networks ranks style
-- script: mapping-curves
-- size: 1200x860
--
-- Means over the networks with their 95 % intervals, by the delays of the paper's section 5.1, a header
-- alone without contention. 129 links is 75 % of the ports that nodes leave free, 97 links 75 % of all
-- ports; curve-swap and bisection are ours.
SELECT printf('%s, %d links', shown, links) AS panel,
       mesh,
       series,
       cell,
       value,
       low,
       high,
       networks,
       ranks,
       style
FROM mapping_curves
WHERE measure = '10'
ORDER BY panel_place, links DESC, place, ranks;
