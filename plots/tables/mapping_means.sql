-- Placements on the mapping paper's networks: a row for each reading of the connectivity, mesh, measure
-- and placement. It has the mean over the networks and its 95 % interval, and the same of the saving
-- against rm on the same network, in percent. The interval is Student's.
WITH known AS (
    SELECT placement, ranks, json_extract(params, '$.mesh') AS mesh, instance AS network,
           network_links AS links, cardinality, latency_0_s, latency_10_s, latency_20_s
    FROM chosen
),
measured (placement, ranks, mesh, network, links, measure, value) AS (
    SELECT placement, ranks, mesh, network, links, 'cardinality', cardinality FROM known
    UNION ALL
    SELECT placement, ranks, mesh, network, links, '0', 1e6 * latency_0_s FROM known
    UNION ALL
    SELECT placement, ranks, mesh, network, links, '10', 1e6 * latency_10_s FROM known
    UNION ALL
    SELECT placement, ranks, mesh, network, links, '20', 1e6 * latency_20_s FROM known
),
beside AS (
    SELECT m.*, 100 * (1 - m.value / rm.value) AS saved
    FROM measured AS m
    LEFT JOIN measured AS rm ON rm.placement = 'rm' AND rm.network = m.network
        AND rm.ranks = m.ranks AND rm.measure = m.measure
),
sums AS (
    SELECT placement, ranks, mesh, links, measure, count(*) AS networks,
           avg(value) AS mean, avg(saved) AS saved,
           max(0, avg(value * value) - avg(value) * avg(value)) AS variance,
           max(0, avg(saved * saved) - avg(saved) * avg(saved)) AS saved_variance
    FROM beside
    GROUP BY placement, ranks, mesh, links, measure
),
errors AS (
    SELECT *, student(networks - 1) * sqrt(variance / (networks - 1)) AS error,
           student(networks - 1) * sqrt(saved_variance / (networks - 1)) AS saved_error,
           sqrt(saved_variance * networks / (networks - 1)) AS saved_deviation
    FROM sums
)
SELECT e.links, e.ranks, e.mesh, e.measure, e.placement, a.place, e.networks, e.mean,
       e.mean - e.error AS low, e.mean + e.error AS high, e.saved,
       e.saved - e.saved_error AS saved_low, e.saved + e.saved_error AS saved_high,
       e.saved_deviation
FROM errors AS e
JOIN placements AS a ON a.name = e.placement
