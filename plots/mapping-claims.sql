-- title: Moh, Yu, Youn, Lee, Han: what the paper states beside what its model gives here, %
-- sweep: mapping-figures
-- options: --modelled
-- rows: workload = 'mapping' AND kind = 'modelled' AND json_extract(params, '$.switches') = 75
-- rows: AND json_extract(params, '$.ports') = 8 AND json_extract(params, '$.nodes') = 256
-- rows: AND json_extract(params, '$.connectivity') = 0.75 AND json_extract(params, '$.routing') = 'updown'
-- rows: AND json_extract(params, '$."per-node"') = 1 AND json_extract(params, '$.layout') IS NULL
-- rows: AND json_extract(params, '$.mesh') IN ('4x4', '8x8', '12x12', '16x16')
-- paper: mapping-claims
-- table: mapping_means
-- data: networks why
-- verdict: Mapping: what the paper states
--
-- A row for each statement and reading of the connectivity. A printed number holds if ours is at most
-- 'within' away. Other statements hold by the sign of the least difference, from mesh to mesh or from case to
-- case. Statements on other placements hold by the sign of the certain saving against them.
WITH saved AS (
    SELECT 'saved' AS claim, measure || ' ' || mesh || ' ' || placement AS which, links, saved AS value,
           saved_deviation AS deviation, networks
    FROM mapping_means
    WHERE placement <> 'rm'
),
-- The least rise from a mesh to the next larger one.
grows AS (
    SELECT 'grows' AS claim, measure || ' ' || placement AS which, links, min(rise) AS value,
           NULL AS deviation, min(networks) AS networks
    FROM (SELECT *, saved - lag(saved) OVER (PARTITION BY measure, placement, links ORDER BY ranks)
                    AS rise
          FROM mapping_means
          WHERE placement IN ('sm', 'bm'))
    GROUP BY measure, placement, links
),
-- The certain saving of bm over rm and sm in percent, network by network: the lower end of Student's 95 %
-- interval, least over meshes and over the two placements.
below AS (
    SELECT b.network_links AS links, b.ranks, o.placement, 100 * (1 - b.cardinality / o.cardinality) AS percent
    FROM chosen AS b
    JOIN chosen AS o ON o.placement IN ('rm', 'sm') AND o.ranks = b.ranks AND o.instance = b.instance
        AND o.network_links = b.network_links
    WHERE b.placement = 'bm'
),
best AS (
    SELECT 'best' AS claim, 'cardinality' AS which, links, min(low) AS value, NULL AS deviation,
           min(networks) AS networks
    FROM (SELECT links, count(*) AS networks,
                 avg(percent) - student(count(*) - 1)
                     * sqrt(max(0, avg(percent * percent) - avg(percent) * avg(percent)) / (count(*) - 1)) AS low
          FROM below
          GROUP BY links, ranks, placement
          HAVING count(*) > 1)
    GROUP BY links
),
-- The share of the variance of latency, over placements and networks, that a line over cardinality explains,
-- %: the least of the meshes.
linear AS (
    SELECT 'linear' AS claim, 'cardinality' AS which, links, min(percent) AS value, NULL AS deviation,
           min(networks) AS networks
    FROM (SELECT network_links AS links, count(DISTINCT instance) AS networks,
                 100 * pow(avg(cardinality * latency_0_s) - avg(cardinality) * avg(latency_0_s), 2)
                     / (avg(cardinality * cardinality) - avg(cardinality) * avg(cardinality))
                     / (avg(latency_0_s * latency_0_s) - avg(latency_0_s) * avg(latency_0_s)) AS percent
          FROM chosen
          WHERE placement IN ('rm', 'sm', 'bm')
          GROUP BY network_links, ranks)
    WHERE percent IS NOT NULL
    GROUP BY links
),
-- The saving of bm with 20 % distant messages, minus that without.
distant AS (
    SELECT 'distant' AS claim, '16x16 bm' AS which, f.links, f.saved - n.saved AS value,
           NULL AS deviation, f.networks
    FROM mapping_means AS f
    JOIN mapping_means AS n ON n.placement = 'bm' AND n.measure = '0' AND n.links = f.links
        AND n.mesh = f.mesh
    WHERE f.placement = 'bm'
      AND f.measure = '20'
      AND f.mesh = '16x16'
),
ours AS (
    SELECT * FROM saved
    UNION ALL
    SELECT * FROM grows
    UNION ALL
    SELECT * FROM best
    UNION ALL
    SELECT * FROM linear
    UNION ALL
    SELECT * FROM distant
)
SELECT p.place,
       p.statement,
       p.printed AS paper,
       o.links,
       round(o.value, 2) AS ours_percent,
       round(o.deviation, 2) AS deviation,
       CASE WHEN p.number IS NOT NULL THEN CASE WHEN abs(o.value - p.number) <= p.within THEN 'yes' ELSE 'no' END
            WHEN o.value > 0 THEN 'yes'
            ELSE 'no' END AS holds,
       o.networks,
       p.why
FROM paper AS p
JOIN ours AS o ON o.claim = p.claim AND o.which = p.which
ORDER BY p.rowid, o.links DESC;

-- says
-- A sentence for each statement of Moh, Yu, Youn, Lee and Han, over both readings of the
-- connectivity: it holds if it does by both, in part if by one.
SELECT 'modelled' AS kind,
       place || ': ' || statement || CASE paper WHEN 'yes' THEN '' ELSE ', ' || paper END AS claim,
       CASE WHEN total(holds = 'yes') = count(*) THEN 'yes'
            WHEN total(holds = 'yes') > 0 THEN 'partly'
            ELSE 'no' END AS holds,
       group_concat(printf('%.3g%s %% with %d links', ours_percent,
                           CASE WHEN deviation IS NULL THEN '' ELSE printf(' +- %.2g', deviation) END,
                           links), ', ')
           || printf(' (%d networks)', min(networks))
           || CASE WHEN total(holds = 'yes') = 0 AND max(why) IS NOT NULL THEN ': ' || max(why) ELSE '' END
           || '.' AS sentence
FROM (SELECT row_number() OVER () AS nth, * FROM plotted)
GROUP BY place, statement, paper
ORDER BY min(nth);
