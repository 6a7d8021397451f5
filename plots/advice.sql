-- title: The simplest schedule that no other is shown to beat, against what is called now
-- sweep: quick
-- rows: workload = 'exchange' AND kind = 'measured' AND placement IS NULL AND schedule IS NOT NULL AND communication_s IS NOT NULL
-- apart: ranks mesh graph partition pattern com degree overlap
-- table: panel_times panel_rows panels advice_entered advice_paired advised
-- cells: ratio_told noise_told made_in saves
-- heads: ratio_told ratio to now [95 %], noise_told noise, made_in made in, pays_after pays after [calls], saves saves an hour
-- data: point ranks environment now_is_called rule candidate knob knob_told ratio ratio_low ratio_high noise noise_low
-- data: noise_high
-- data: cost_s call_s calls saved_s saved_low_s saved_high_s launches busy oversubscribed campaigns
-- data: call fingerprint bytes degree class schedule params machine mpi beyond_apply
-- verdict: Advice
--
-- A row for each exchange that raced (tables/advised.sql). ratio is that of the advised contender to the one called now,
-- with its 95 % interval; noise is the reference against its duplicate. knob is what sets it in the MPI library without
-- nuce, knob_told the ratio of its race, or that it has none. beyond_apply is what nuce apply does not replace. call_s is the time of a call that a schedule can shorten.
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
       a.knob_told,
       iif(a.candidate IS NULL, NULL, a.ratio) AS ratio,
       iif(a.candidate IS NULL, NULL, a.low) AS ratio_low,
       iif(a.candidate IS NULL, NULL, a.high) AS ratio_high,
       a.noise,
       a.noise_low,
       a.noise_high,
       iif(a.candidate IS NULL, NULL, a.cost_s) AS cost_s,
       a.shortened_s AS call_s,
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
       a.mpi,
       a.beyond_apply
FROM advised AS a
JOIN panels AS g ON g.point = a.point AND g.environment = a.environment AND g.calls IS NULL
ORDER BY coalesce(a.calls * a.shortened_s, 0) DESC, exchange;

-- says
-- The advice on each exchange, a few short lines each (tables/advised.sql).
SELECT 'measured' AS kind, NULL AS claim, NULL AS holds,
       p.exchange || ': ' || iif(p.advice = 'leave it', 'leave it (' || p.now || ')', p.advice) || '.'
       || coalesce(char(10) || p.candidate || ' to ' || p.now
                   || CASE WHEN NOT p.now_is_called THEN ', the reference'
                           WHEN a.captured_kind = 'exchange' THEN ', as the application posts its messages'
                           WHEN a.captured_kind <> 'matrix' THEN ', for the application''s ' || a.captured_kind
                           ELSE ', the library''s call' END
                   || ': ' || told_ratio(p.ratio, p.ratio_low, p.ratio_high) || '.', '')
       || coalesce(char(10) || 'Noise: ' || told_ratio(p.noise, p.noise_low, p.noise_high) || '; '
                   || p.launches || iif(p.launches = 1, ' launch.', ' launches.'), '')
       || coalesce(char(10) || 'Not taken: ' || nullif(p.reason, 'no contender is significantly faster') || '.',
                   iif(p.candidate IS NULL, char(10) || 'No contender is significantly faster.', ''))
       || iif(a.doubt IS NULL, '', ' Race it again' || iif(a.moot OR a.most_launches < 2, '', ' undisturbed')
              || ', or see --disturbed.')
       || coalesce(char(10) || 'Its schedule takes ' || told_time(p.cost_s) || ' once and pays after '
                   || p.pays_after || iif(p.pays_after = 1, ' call', ' calls')
                   || iif(p.calls IS NULL, '', printf('; the application makes %d', p.calls)) || '.', '')
       || coalesce(char(10) || 'It saves ' || told_time(p.saved_s) || ' [' || told_time(p.saved_low_s) || ', '
                   || told_time(p.saved_high_s) || '] in an hour of the application.', '')
       || iif(p.advice = 'leave it', '', coalesce(char(10) || 'nuce apply replaces no ' || p.beyond_apply
                                                  || ': this is for a call of libnuce_mpi.', ''))
       || coalesce(char(10) || 'Nearest setting, for each MPI_Alltoallv of the program: ' || p.knob
                   || char(10) || upper(substr(p.knob_told, 1, 1)) || substr(p.knob_told, 2), '') AS sentence
FROM plotted AS p
JOIN advised AS a ON a.environment = p.environment AND a.point = p.point
