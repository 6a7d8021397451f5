-- The rows of the maps `regimes`: one for each schedule, or its kin with one tuning, of a mixture of experts on one
-- network (`name`: a NETWORK FILE by the model, else a machine; `machine`: in words). gain: the speed-up over posting
-- all at once (ac), over_library over alltoallv, over_blocking over sends that block (ac-blocking), NULL where that
-- did not run; is_told and is_told_blocking: more than 2 % faster than ac, and than ac-blocking. Measured ones are
-- the race's (tables/arrays_raced.sql), told where the whole interval is below 0.98.
WITH machines (name, machine) AS (
    VALUES ('paths', 'a path for each pair of ranks'), ('nics-alone', '1 rank/node, one NIC each'),
           ('single-port', 'CM-5, one port each'), ('nics', '8 ranks/node, one NIC each'),
           ('shared-nic', '8 ranks/node, one shared NIC'), ('ethernet', '8 ranks/node, shared 1 Gbit/s'),
           ('two-leaves', 'two leaves, tapered uplinks')
),
timed AS (
    SELECT kind, ranks, schedule, contender, item_bytes, json_extract(params, '$.imbalance') AS imbalance, point, environment,
           c.wait,
           CASE kind
               WHEN 'modelled' THEN replace(substr(network, 1, instr(network, '@') - 1), '.network', '')
               WHEN 'simulated' THEN coalesce(replace(json_extract(described, '$.cluster.platform'), '.xml', ''), 'a machine')
               -- The environment's number distinguishes machines of the same name, such as with other links.
               ELSE printf('%s%s (%s)', coalesce(iif(json_extract(described, '$.cluster.name') = 'nuce', 'virtual cluster', json_extract(described, '$.cluster.name')), json_extract(described, '$.processor'), 'a machine'),
                           iif(buffer_bytes IS NULL, '', printf(' with buffers of %g kB', buffer_bytes / 1000.0)), substr(environment, 1, 4))
           END AS name,
           iif(kind = 'modelled', predicted_s, communication_s) AS s, started
    FROM chosen AS c
    LEFT JOIN environment AS e ON e.id = c.environment
),
-- The newest of each, if files of one name have changed.
newest AS (
    SELECT *, row_number() OVER (PARTITION BY kind, name, ranks, imbalance, item_bytes, contender
                                 ORDER BY started DESC) AS age
    FROM timed
    WHERE s > 0
),
stood AS (
    SELECT point, environment, kind, wait, min(is_best) AS is_best
    FROM standing
    GROUP BY point, environment, kind, wait
)
SELECT n.*, coalesce(m.machine, n.name) AS machine, coalesce(1 / g.ratio, a.s / n.s) AS gain, coalesce(1 / h.ratio, l.s / n.s) AS over_library,
       coalesce(1 / i.ratio, b.s / n.s) AS over_blocking, t.is_best,
       CASE n.kind WHEN 'measured'
                   THEN g.side = -1 AND g.high < 0.98
            ELSE n.s < 0.98 * a.s END AS is_told,
       CASE n.kind WHEN 'measured'
                   THEN i.side = -1 AND i.high < 0.98
            ELSE n.s < 0.98 * b.s END AS is_told_blocking
FROM newest AS n
LEFT JOIN machines AS m ON m.name = n.name AND n.kind = 'modelled'
JOIN newest AS a ON a.kind = n.kind AND a.name = n.name AND a.ranks = n.ranks AND a.imbalance = n.imbalance
    AND a.item_bytes = n.item_bytes AND a.schedule = 'ac' AND a.age = 1
LEFT JOIN newest AS l ON l.kind = n.kind AND l.name = n.name AND l.ranks = n.ranks AND l.imbalance = n.imbalance
    AND l.item_bytes = n.item_bytes AND l.schedule = 'alltoallv' AND l.age = 1
LEFT JOIN newest AS b ON b.kind = n.kind AND b.name = n.name AND b.ranks = n.ranks AND b.imbalance = n.imbalance
    AND b.item_bytes = n.item_bytes AND b.schedule = 'ac-blocking' AND b.age = 1
LEFT JOIN arrays_raced AS g ON n.kind = 'measured' AND g.point = n.point AND g.baseline = a.point
    AND g.environment = n.environment AND g.wait = n.wait
LEFT JOIN arrays_raced AS h ON n.kind = 'measured' AND h.point = n.point AND h.baseline = l.point
    AND h.environment = n.environment AND h.wait = n.wait
LEFT JOIN arrays_raced AS i ON n.kind = 'measured' AND i.point = n.point AND i.baseline = b.point
    AND i.environment = n.environment AND i.wait = n.wait
LEFT JOIN stood AS t ON t.point = n.point AND t.environment = n.environment AND t.kind = n.kind
    AND t.wait = n.wait
WHERE n.age = 1;
