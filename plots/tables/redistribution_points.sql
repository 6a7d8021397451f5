-- Redistributions, measured, simulated and modelled, for the figures and claims of Bhat, Prasanna and
-- Raghavendra: a row for each point of `chosen` with a known time. kind separates them; s is the
-- communication (with its interval) or the predicted makespan (modelled). lower_bound_s is the papers'
-- lower bound, the single-port one: the largest sum of a row or column. true_lower_bound_s holds for any
-- number of transfers that a node can do at once. heterogeneity is theirs too: the excess of the
-- fastest link of the range over the slowest, in percent. instance is the basis of comparing
-- algorithms; series_of is all of it but the number of the drawn network.
WITH timed AS (
    SELECT point, kind, environment, wait, started, ranks, params, bytes, messages, network, network_taken,
           instance, contender, schedule, in_flight, in_flight_taken, n, single_port_lower_bound_s, lower_bound_s,
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
       in_flight,
       in_flight_taken,
       s,
       low_s,
       high_s,
       n,
       single_port_lower_bound_s AS lower_bound_s,
       lower_bound_s AS true_lower_bound_s,
       phases,
       schedule_s
FROM ranged;
