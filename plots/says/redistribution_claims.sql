-- A sentence for each statement of Bhat, Prasanna and Raghavendra and each kind of number. It holds
-- if it does for all points, in part if for at least half of them. A statement on every network is
-- refuted by a single exception. With fewer than five points it cannot be confirmed.
WITH counted AS (
    SELECT row_number() OVER () AS nth, *, CAST(holds AS INTEGER) AS good,
           CAST(substr(holds, instr(holds, ' of ') + 4) AS INTEGER) AS judged
    FROM plotted
)
SELECT source AS kind,
       place || ': ' || statement || ', ' || paper
           || CASE WHEN paper GLOB '*[0-9]*' THEN ' ' || unit ELSE '' END AS claim,
       CASE WHEN total(judged) = 0 THEN NULL
            WHEN total(good) = total(judged) THEN iif(sum(points) >= 5, 'yes', NULL)
            WHEN total(every) = 0 AND total(good) >= 0.5 * total(judged) THEN 'partly'
            ELSE 'no' END AS holds,
       CASE WHEN min(least) < max(most) THEN printf('%.3g to %.3g', min(least), max(most))
            ELSE printf('%.3g', max(most)) END
           || printf(' %s over %d point%s (P = %s)', unit, sum(points),
                     iif(sum(points) = 1, '', 's'),
                     replace(group_concat(DISTINCT ranks), ',', ', '))
           || CASE WHEN total(judged) > 0
                   THEN printf('; so at %d of %d', total(good), total(judged)) ELSE '' END
           || coalesce('; ' || group_concat(DISTINCT remark), '') || '.' AS sentence
FROM (SELECT * FROM counted ORDER BY ranks)
GROUP BY place, statement, source
ORDER BY min(nth);
