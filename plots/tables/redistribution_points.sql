-- Redistributions, measured, simulated and modelled, for the figures and claims of Bhat, Prasanna and
-- Raghavendra: a row for each point of `chosen` whose time is known. kind
-- keeps them apart; s is the communication (with its interval) or the predicted makespan (modelled).
-- bound_s is the papers' lower bound, the single-port one: the largest sum of a row or column;
-- true_bound_s one that holds whatever a node can do at once.
-- heterogeneity is theirs too: by how many percent the fastest link of the range exceeds the slowest.
-- instance is what algorithms are compared on; series_of all of it but which network was drawn.
WITH timed AS (
    SELECT point, kind, environment, wait, started, ranks, params, bytes, messages, network, network_taken,
           instance, contender, schedule, depth, depth_taken, n, single_port_bound_s, bound_s,
           phases, schedule_s, time_s AS s, communication_low_s AS low_s,
           communication_high_s AS high_s
    FROM chosen
    WHERE time_s IS NOT NULL
),
ranged AS (
    SELECT *,
           json_extract(params, '$.bandwidth') AS bandwidth,
           CAST(json_extract(params, '$.bandwidth') AS REAL) AS low_bandwidth,
           CAST(substr(json_extract(params, '$.bandwidth'), instr(json_extract(params, '$.bandwidth'), '..') + 2) AS REAL)
               AS high_bandwidth
    FROM timed
)
SELECT point,
       kind,
       environment,
       wait,
       started,
       ranks,
       json_extract(params, '$.factor') AS factor,
       json_extract(params, '$.elements') AS elements,
       bytes,
       messages,
       network,
       network_taken,
       CASE WHEN instr(bandwidth, '..') > 0
            THEN CAST(round(100 * (high_bandwidth / low_bandwidth - 1)) AS INTEGER)
            WHEN bandwidth IS NOT NULL THEN 0 END AS heterogeneity,
       instance,
       json_remove(instance, '$.instance', '$.seed') AS series_of,
       contender,
       schedule,
       depth,
       depth_taken,
       s,
       low_s,
       high_s,
       n,
       single_port_bound_s AS bound_s,
       bound_s AS true_bound_s,
       phases,
       schedule_s
FROM ranged;
