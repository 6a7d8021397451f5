-- The rows of `chosen` that panels have: times, messages and what a sweep names its contender by. instance is the
-- problem without the options that the sweep compares. message is the mean length, bytes.
SELECT kind, workload, contender_name(contender, params, compared) AS contender, ranks, params,
       CASE WHEN compared IS NULL THEN instance
            ELSE (SELECT json_group_object(key, value) FROM json_each(params)
                  WHERE key NOT IN (SELECT value FROM json_each(compared))) END AS instance,
       started, environment, wait, point, n, coalesce(too_short, 0) AS too_short,
       stopped = 'time-limit' AND n < runs * min_samples AS few,
       messages = coalesce(json_extract(metrics, '$.self_messages'), 0) AS is_empty,
       CAST(round(coalesce(1.0 * bytes / nullif(json_extract(metrics, '$.captured_messages'), 0),
                           1.0 * (bytes - coalesce(json_extract(metrics, '$.self_bytes'), 0))
                           / max(messages - coalesce(json_extract(metrics, '$.self_messages'), 0), 1))) AS INTEGER) AS message,
       messages - coalesce(json_extract(metrics, '$.self_messages'), 0) AS messages,
       bytes - coalesce(json_extract(metrics, '$.self_bytes'), 0) AS bytes,
       iif(json_extract(metrics, '$.self_messages') > 0, NULL, longest_bytes) AS longest_bytes, lower_bound_s, predicted_s,
       from_start_s, schedule_s, phases, json_extract(metrics, '$.captured_calls') AS made,
       -- of a program's metric that is not a time
       CASE WHEN workload = 'program'
                 AND (json_extract(params, '$.metric') <> 'wall' OR json_extract(params, '$.series') IS NOT NULL)
                 AND coalesce(json_extract(params, '$.unit'), '') NOT IN ('s', 'ms', 'us', 'ns', 'min', 'h')
            THEN trim(' ' || coalesce(json_extract(params, '$.unit'), ''))
            END AS unit,
       json_extract(params, '$.better') = 'higher' AS is_rate,
       'not exact: ' || nullif(json_extract(metrics, '$.captured_quality'), 'exact') AS quality,
       json_extract(metrics, '$.captured_library') AS library,
       iif(kind = 'modelled', predicted_s,
           CASE criterion WHEN 'step' THEN step_s WHEN 'own' THEN own_s ELSE communication_s END) AS s,
       CASE criterion WHEN 'step' THEN step_low_s WHEN 'own' THEN own_low_s ELSE communication_low_s END
           AS low_s,
       CASE criterion WHEN 'step' THEN step_high_s WHEN 'own' THEN own_high_s ELSE communication_high_s END
           AS high_s
FROM chosen
