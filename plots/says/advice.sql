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
       || coalesce(char(10) || 'Nearest setting of the MPI library, to be raced itself: ' || p.knob || '.', '') AS sentence
FROM plotted AS p
JOIN advised AS a ON a.environment = p.environment AND a.point = p.point
