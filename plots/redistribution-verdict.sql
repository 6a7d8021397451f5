-- title: Redistribution: which algorithm wins, and by how much
-- sweep: redistribution-depth
-- rows: workload = 'redistribute' AND communication_s IS NOT NULL
-- rows: AND kind <> 'modelled'
-- apart: ranks network
-- table: duel_means duels duel_winners
-- says: redistribution_verdict
-- verdict: Redistribution: which algorithm wins
--
-- A row for each kind, layout, rank count and target (tables/duels.sql), by the communication alone.
SELECT kind,
       pattern AS layout,
       ranks,
       size AS target,
       winner,
       instances,
       next,
       factor,
       significant,
       direct_factor,
       ac_factor,
       alltoallv_factor,
       environment
FROM duels
ORDER BY kind, pattern, ranks, elements, times, size;
