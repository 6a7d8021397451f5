-- Results of Table 2 of Ranka, Wang and Kumar for the points of contention in `chosen`: a row for
-- each; kind distinguishes them.
--
-- one_s, others_max_s, others_min_s, others_mean_s are medians over the samples of the last rank's
-- time, and of the longest, shortest and mean time of its partners. gain, growth and regime are as
-- nuce-calibrate prints them for one launch; kernels/programs/contention.c defines them, and
-- tests/item size/results/test_calibration.c compares both.
WITH points AS (
    SELECT point, environment, kind, wait, ranks, n,
           json_extract(params, '$.direction') AS direction,
           json_extract(params, '$.size') AS bytes,
           json_extract(params, '$.partners') AS partners,
           communication_s AS s,
           communication_low_s AS low_s,
           communication_high_s AS high_s
    FROM chosen
),
-- A row for each sample.
sides AS (
    SELECT p.point, p.kind,
           max(CASE WHEN s.rank = p.ranks - 1 THEN s.step_s END) AS one,
           max(CASE WHEN s.rank < p.partners THEN s.step_s END) AS longest,
           min(CASE WHEN s.rank < p.partners THEN s.step_s END) AS shortest,
           avg(CASE WHEN s.rank < p.partners THEN s.step_s END) AS mean
    FROM points AS p
    JOIN pooled_run AS r ON r.point = p.point AND r.environment = p.environment
        AND r.kind = p.kind AND r.wait = p.wait
    JOIN rank_sample AS s ON s.run = r.run
    GROUP BY p.point, p.kind, s.run, s.number
),
quantities AS (
    SELECT point, kind, 'one' AS quantity, one AS value FROM sides
    UNION ALL
    SELECT point, kind, 'longest', longest FROM sides
    UNION ALL
    SELECT point, kind, 'shortest', shortest FROM sides
    UNION ALL
    SELECT point, kind, 'mean', mean FROM sides
),
medians AS (
    SELECT point, kind, quantity, avg(value) AS value
    FROM (SELECT point, kind, quantity, value,
                 row_number() OVER (PARTITION BY point, kind, quantity ORDER BY value) AS place,
                 count(*) OVER (PARTITION BY point, kind, quantity) AS n
          FROM quantities)
    WHERE place IN ((n + 1) / 2, n / 2 + 1)
    GROUP BY point, kind, quantity
),
times AS (
    SELECT point, kind,
           max(CASE quantity WHEN 'one' THEN value END) AS one_s,
           max(CASE quantity WHEN 'longest' THEN value END) AS others_max_s,
           max(CASE quantity WHEN 'shortest' THEN value END) AS others_min_s,
           max(CASE quantity WHEN 'mean' THEN value END) AS others_mean_s
    FROM medians
    GROUP BY point, kind
),
gains AS (
    SELECT p.point, p.kind, p.ranks, p.direction, p.bytes, p.partners,
           p.partners * alone.s / p.s AS gain,
           p.partners * alone.low_s / p.high_s AS low,
           p.partners * alone.high_s / p.low_s AS high
    FROM points AS p
    JOIN points AS alone ON alone.kind = p.kind AND alone.ranks = p.ranks AND alone.direction = p.direction
        AND alone.bytes = p.bytes AND alone.partners = 1
    WHERE p.partners > 1
),
growths AS (
    SELECT *,
           CASE WHEN high <= 1.25 THEN 'serial'
                WHEN low BETWEEN 0.75 * partners AND 1.25 * partners THEN 'independent'
                WHEN low > 1.25 AND high < 0.75 * partners THEN 'limited'
                ELSE 'unclear' END AS growth
    FROM gains
)
SELECT p.kind, p.ranks, p.direction, p.bytes, p.partners, p.n, p.s, p.low_s, p.high_s,
       t.one_s, t.others_max_s, t.others_min_s, t.others_mean_s,
       g.gain,
       CASE WHEN g.high IS NOT NULL THEN g.low END AS gain_low,
       CASE WHEN g.low IS NOT NULL THEN g.high END AS gain_high,
       g.growth,
       CASE WHEN g.growth IS NULL THEN NULL
            WHEN o.growth IS NULL OR 'unclear' IN (g.growth, o.growth) THEN 'unclear'
            WHEN g.growth <> o.growth OR g.growth = 'limited' THEN 'NIC-limited'
            WHEN g.growth = 'serial' THEN 'single-port'
            ELSE 'independent-paths' END AS regime
FROM points AS p
LEFT JOIN times AS t ON t.point = p.point AND t.kind = p.kind
LEFT JOIN growths AS g ON g.point = p.point AND g.kind = p.kind
LEFT JOIN growths AS o ON o.kind = p.kind AND o.ranks = p.ranks AND o.bytes = p.bytes AND o.partners = p.partners
    AND o.direction <> p.direction;
