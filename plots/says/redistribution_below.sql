-- Figure 4 of Bhat, Prasanna and Raghavendra: the saving of greedy over direct, panel by panel, from K
-- to K. Measured times are on emulated links. redistribution-claims judges the paper's statements on it.
WITH times AS (
    SELECT 'emulated' AS kind, panel, factor, schedule, ms FROM plotted
    UNION ALL
    SELECT 'simulated', panel, factor, schedule, simulated_ms FROM plotted
    UNION ALL
    SELECT 'modelled', panel, factor, schedule, model_ms FROM plotted
),
below AS (
    SELECT g.kind, g.panel, 100 * (1 - g.ms / d.ms) AS percent
    FROM times AS g
    JOIN times AS d ON d.schedule = 'direct' AND d.kind = g.kind AND d.panel = g.panel
        AND d.factor = g.factor
    WHERE g.schedule = 'greedy'
      AND g.ms IS NOT NULL
      AND d.ms > 0
)
SELECT kind,
       printf('%s: greedy takes %s less time than direct, over %d value%s of K.', panel,
              CASE WHEN min(percent) < max(percent)
                   THEN printf('%.1f to %.1f %%', min(percent), max(percent))
                   ELSE printf('%.1f %%', max(percent)) END, count(*),
              iif(count(*) = 1, '', 's')) AS sentence
FROM below
GROUP BY kind, panel
ORDER BY kind, panel;
