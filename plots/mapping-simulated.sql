-- title: Moh, Yu, Youn, Lee, Han, Figures 7 to 9 by execution: a halo exchange on irregular switches under each placement, simulated
-- sweep: mapping-simulated
-- options: --platform irregular.xml
-- rows: placement IS NOT NULL AND placement_cardinality IS NOT NULL AND communication_s IS NOT NULL
-- rows: AND kind = 'simulated'
-- table: arrays_raced mapping_placements
-- environments: all
-- panel: panel
-- series: placement
-- data: ratio ratio_low ratio_high noise_low noise_high links
-- says: mapping-measured
-- script: mapping-measured
-- size: 1100x560
--
-- A panel for each load, by the bytes of a message. 'gain' is the saving against the mean of rm. The modelled gain is
-- for a message's header without contention, as in the paper (without distant messages). The simulated gain is for the
-- whole exchange, in which messages meet on the links.
SELECT printf('%s, %d ranks, messages of ', workload, ranks)
           || CASE WHEN bytes >= 1024 * messages THEN printf('%.4g KiB', bytes / 1024.0 / messages)
                   ELSE printf('%.4g B', 1.0 * bytes / messages) END AS panel,
       label AS placement,
       printf('%.3f', links) AS 'links, modelled',
       printf('%.1f', 100 * links / rm_links) AS '% of rm',
       printf('%.3f', 1e6 * latency_s) AS 'latency us, modelled',
       printf('%.1f', 100 * (1 - latency_s / rm_latency_s)) AS 'gain %, modelled',
       printf('%.3f', 1e6 * s) AS 'halo us, simulated',
       printf('%.1f', 100 * (1 - s / rm_s)) AS 'gain %, simulated',
       model_place AS 'place, modelled',
       place AS 'simulated',
       moved,
       ratio,
       NULL AS ratio_low,
       NULL AS ratio_high,
       NULL AS noise_low,
       NULL AS noise_high,
       links
FROM mapping_placements
WHERE kind = 'simulated'
ORDER BY workload DESC, ranks, bytes, problem, place;
