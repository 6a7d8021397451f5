-- Every two contenders of each exchange, over all launches that both entered, as in the view `against`; and the reference
-- against its duplicate (is_duplicate), which is the noise. A table, since plots/tables/advised.sql asks for it often.
SELECT instance, ranks, environment, point, baseline, is_duplicate, is_to_reference, moot,
       json_extract(e, '$[0]') AS launches, json_extract(e, '$[1]') AS mean, json_extract(e, '$[2]') AS error,
       json_extract(e, '$[3]') AS reach
FROM (SELECT a.instance, a.ranks, a.environment, a.point, b.point AS baseline, a.role = 'duplicate' AS is_duplicate,
             max(b.role = 'reference') AS is_to_reference, avg(a.moot OR b.moot) > 0.5 AS moot,
             over_launches(ln(a.ratio / b.ratio), a.known) AS e
      FROM advice_entered AS a
      JOIN advice_entered AS b ON b.instance = a.instance AND b.ranks = a.ranks AND b.environment = a.environment
          AND b.race = a.race AND b.campaign = a.campaign AND b.job = a.job
      WHERE b.role <> 'duplicate'
        AND (a.role = 'duplicate') = (a.point = b.point)
      GROUP BY a.instance, a.ranks, a.environment, a.point, b.point, a.role = 'duplicate')
