-- Each contender of `rules_entered` by some of the launches (fold): is_slower than one of the others, and its side of
-- the reference.
-- The launches that a decision sees: all; all but one (1, 2, ...); the odd (-1) and the even ones (-2).
WITH folds AS (
    SELECT DISTINCT e.race, 0 AS fold, e.launch FROM rules_entered AS e
    UNION ALL SELECT DISTINCT e.race, h.launch, e.launch FROM rules_entered AS e JOIN rules_entered AS h ON h.race = e.race AND h.launch <> e.launch
    UNION ALL SELECT DISTINCT e.race, -1 - (e.launch % 2 = 0), e.launch FROM rules_entered AS e
),
paired AS (
    SELECT race, fold, point, baseline, is_noise, json_extract(e, '$[0]') AS launches, json_extract(e, '$[1]') AS mean,
           json_extract(e, '$[2]') AS error, json_extract(e, '$[3]') AS reach,
           count(*) OVER (PARTITION BY race, fold, point, is_noise) AS rivals
    FROM (SELECT f.race, f.fold, a.point, b.point AS baseline, a.role = 'duplicate' AS is_noise,
                 over_launches(a.l - b.l, a.known) AS e
          FROM folds AS f
          JOIN rules_entered AS a ON a.race = f.race AND a.launch = f.launch
          JOIN rules_entered AS b ON b.race = a.race AND b.launch = a.launch
          WHERE b.role <> 'duplicate'
            AND (a.role = 'duplicate') = (a.point = b.point)
          GROUP BY f.race, f.fold, a.point, b.point, a.role = 'duplicate')
),
noises AS (
    SELECT race, fold, point AS reference, abs(mean) + reach AS reach
    FROM paired
    WHERE is_noise
)
SELECT p.race, p.fold, p.point, n.reference, max(is_slower(p.launches, p.mean, p.error, p.rivals, n.reach)) AS is_slower,
       max(iif(p.baseline = n.reference, race_side(p.mean, p.reach, n.reach), NULL)) AS side
FROM paired AS p
JOIN noises AS n ON n.race = p.race AND n.fold = p.fold
WHERE NOT p.is_noise
GROUP BY p.race, p.fold, p.point, n.reference
