-- Figure 17 of Kaddoura, Ranka and Wang. With equal parts a pinwheel costs much more than xy2: this holds
-- if it costs 5 % more, and fails if it costs no more. They left its cost with unequal parts open, so that
-- has no verdict.
WITH known AS (
    SELECT r,
           max(CASE series WHEN 'pinwheel' THEN value END) AS pinwheel,
           max(CASE series WHEN 'optimal' THEN value END) AS least,
           max(CASE series WHEN 'xy2' THEN value END) AS xy2,
           min(CASE WHEN series NOT IN ('pinwheel', 'optimal') THEN value END) AS others
    FROM plotted
    WHERE panel = 'Acost / side of the square'
    GROUP BY r
),
best AS (
    SELECT * FROM known WHERE pinwheel <= least * (1 + 1e-6)
)
SELECT 'modelled' AS kind, 'With equal parts a pinwheel costs much more than xy2 (7)' AS claim,
       CASE WHEN pinwheel >= 1.05 * xy2 THEN 'yes' WHEN pinwheel > xy2 THEN 'partly' ELSE 'no' END AS holds,
       printf('Acost %.3f and %.3f sides of the square, %.1f %% more.', pinwheel, xy2,
              100 * (pinwheel / xy2 - 1)) AS sentence
FROM known
WHERE r = 1
  AND xy2 IS NOT NULL
UNION ALL
SELECT 'modelled', NULL, NULL,
       printf('Four equal parts and a smaller one: a pinwheel is the best of all layouts in %d of %d cases',
              count(b.r), count(*))
           || CASE WHEN count(b.r) = 0 THEN ''
                   ELSE printf(', where the four are %g to %g times as large as the fifth', min(b.r),
                               max(b.r)) END
           || CASE WHEN max(b.others / b.least) > 1 + 1e-6
                   THEN printf('; there the best of the decompositions costs up to %.1f %% more',
                               100 * (max(b.others / b.least) - 1)) ELSE '' END || '.'
FROM known AS k
LEFT JOIN best AS b ON b.r = k.r
WHERE k.least IS NOT NULL
GROUP BY NULL HAVING count(*) > 0;
