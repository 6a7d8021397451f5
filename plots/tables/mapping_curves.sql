-- Figures 6 to 9: mapping_means and the paper's printed values, a row for each point of a curve. A panel
-- is a reading of the connectivity and a quantity: the measure itself, or its saving against rm.
WITH rows AS (
    SELECT measure, links, ranks, mesh, 1 AS panel_place,
           CASE measure WHEN 'cardinality' THEN 'weighted cardinality'
                        ELSE 'latency, us' END AS shown,
           placement AS series, placement, place, mean AS value, low, high, networks
    FROM mapping_means
    UNION ALL
    SELECT measure, links, ranks, mesh, 2, 'saved relative to rm, %', placement, placement, place, saved,
           saved_low, saved_high, networks
    FROM mapping_means
    WHERE placement <> 'rm'
    UNION ALL
    SELECT m.measure, m.links, m.ranks, p.mesh, 2, 'saved relative to rm, %', p.placement || ', paper',
           p.placement, m.place + 1000, p.percent, NULL, NULL, NULL
    FROM paper AS p
    JOIN mapping_means AS m ON m.measure = CAST(p.measure AS TEXT) AND m.mesh = p.mesh
        AND m.placement = p.placement
)
SELECT measure, links, ranks, mesh, panel_place, shown, series, placement, place, value, low, high,
       networks,
       dense_rank() OVER (ORDER BY place % 1000) AS style,
       CASE WHEN series LIKE '%, paper' THEN printf('%.0f', value)
            WHEN low IS NULL THEN printf('%.4g', value)
            WHEN panel_place = 2 THEN printf('%.1f [%.1f, %.1f]', value, low, high)
            WHEN measure = 'cardinality' THEN printf('%.0f [%.0f, %.0f]', value, low, high)
            ELSE printf('%.3f [%.3f, %.3f]', value, low, high) END AS cell
FROM rows
