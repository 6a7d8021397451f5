-- title: Moh, Yu, Youn, Lee, Han: what the paper states beside what its model gives here, %
-- sweep: mapping-figures
-- rows: workload = 'mapping' AND kind = 'modelled' AND params ->> '$.switches' = 75
-- rows: AND params ->> '$.ports' = 8 AND params ->> '$.nodes' = 256
-- rows: AND params ->> '$.connectivity' = 0.75 AND params ->> '$.routing' = 'updown'
-- rows: AND params ->> '$."per-node"' = 1 AND params ->> '$.layout' IS NULL
-- rows: AND params ->> '$.mesh' IN ('4x4', '8x8', '12x12', '16x16')
-- paper: mapping-claims
-- table: mapping_means
-- data: networks
-- says: mapping_claims
-- verdict: Mapping: what the paper states
--
-- A row for each statement and reading of the connectivity. 'within' is how far ours may be from a
-- number that is printed for it to hold; of the others the sign of the least difference says it: from
-- mesh to mesh, to the other placements, or from case to case.
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
-- By how many percent bm is below the better of rm and sm, at the mesh where that is least.
best AS (
    SELECT 'best' AS claim, b.measure AS which, b.links,
           min(100 * (1 - b.mean / o.mean)) AS value, NULL AS deviation, min(b.networks) AS networks
    FROM mapping_means AS b
    JOIN mapping_means AS o ON o.placement IN ('rm', 'sm') AND o.measure = b.measure
        AND o.links = b.links AND o.ranks = b.ranks
    WHERE b.placement = 'bm'
    GROUP BY b.measure, b.links
),
-- What bm saves with 20 % distant messages, less what it saves without.
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
       o.networks
FROM paper AS p
JOIN ours AS o ON o.claim = p.claim AND o.which = p.which
ORDER BY p.rowid, o.links DESC;
