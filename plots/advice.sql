-- title: The simplest schedule that no other is shown to beat, against what is called now
-- sweep: quick
-- rows: workload = 'exchange' AND kind = 'measured' AND placement IS NULL AND schedule IS NOT NULL AND communication_s IS NOT NULL
-- apart: ranks mesh graph partition pattern com degree overlap
-- table: panels advice_entered advice_paired advised
-- cells: ratio_told noise_told made_in saves
-- heads: ratio_told ratio to now [95 %], noise_told noise, made_in made in, pays_after pays after [calls], saves saves an hour
-- data: point ranks environment now_is_called rule candidate knob ratio ratio_low ratio_high noise noise_low noise_high
-- data: cost_s calls saved_s saved_low_s saved_high_s launches busy oversubscribed campaigns
-- data: call fingerprint bytes degree class schedule params machine mpi
-- says: advice
-- verdict: Advice
--
-- A row for each exchange that raced (tables/advised.sql). ratio is that of the advised contender to the one called now,
-- with its 95 % interval; noise is the reference against its duplicate. knob is what sets it in the MPI library without
-- nuce.
SELECT g.panel || coalesce(', ' || nullif(g.size_of || g.at, ''), '') AS exchange,
       a.now,
       iif(a.rule IS NULL OR a.rule = 'library', 'leave it', a.rule) AS advice,
       iif(a.candidate IS NULL, NULL, told_ratio(a.ratio, a.low, a.high)) AS ratio_told,
       told_ratio(a.noise, a.noise_low, a.noise_high) AS noise_told,
       iif(a.candidate IS NULL, NULL, told_time(a.cost_s)) AS made_in,
       CAST(a.pays_after AS INTEGER) AS pays_after,
       told_time(a.saved_s) || ' [' || told_time(a.saved_low_s) || ', ' || told_time(a.saved_high_s) || ']' AS saves,
       coalesce(a.doubt, a.reason) AS reason,
       a.point,
       a.ranks,
       a.environment,
       a.now_is_called,
       a.rule,
       a.candidate,
       a.knob,
       iif(a.candidate IS NULL, NULL, a.ratio) AS ratio,
       iif(a.candidate IS NULL, NULL, a.low) AS ratio_low,
       iif(a.candidate IS NULL, NULL, a.high) AS ratio_high,
       a.noise,
       a.noise_low,
       a.noise_high,
       iif(a.candidate IS NULL, NULL, a.cost_s) AS cost_s,
       a.calls,
       a.saved_s,
       a.saved_low_s,
       a.saved_high_s,
       a.launches,
       a.busy,
       a.oversubscribed,
       a.campaigns,
       a.call,
       a.fingerprint,
       a.bytes,
       a.degree,
       a.class,
       iif(a.rule IS NULL, NULL, iif(a.rule = 'library', 'library', a.schedule)) AS schedule,
       iif(a.rule IS NULL OR a.rule = 'library', NULL, a.params) AS params,
       a.machine,
       a.mpi
FROM advised AS a
JOIN panels AS g ON g.point = a.point AND g.environment = a.environment AND g.calls IS NULL
ORDER BY coalesce(a.calls * a.shortened_s, 0) DESC, exchange
