-- table: arrays_costs arrays_gains
-- pivot: processors
-- cells: cell
-- data: value samples
--
-- The saving of one decomposition against another, ours and below it the paper's, by size of array.
WITH cells AS (
    SELECT printf('1K x %dK', columns / 1000) AS array, columns, ratio, source, source_place, processors,
           cell, percent AS value, samples
    FROM arrays_gains
    UNION ALL
    SELECT printf('1K x %dK', columns / 1000), columns, ratio, 'paper', 3, processors,
           printf('%d', percent), percent, NULL
    FROM paper
)
SELECT array, ratio, source, processors, cell, value, samples
FROM cells
ORDER BY columns, ratio, source_place, processors;

-- says
-- Tables 2 to 7 of Kaddoura, Ranka and Wang, one at a time, by the rules of arrays-agreement.sql.
WITH apart AS (
    SELECT o.source, abs(o.percent - p.percent) AS points, p.decomposition, p.latency
    FROM paper AS p
    JOIN arrays_gains AS o ON o.decomposition = p.decomposition AND o.latency = p.latency
        AND o.columns = p.columns AND o.ratio = p.ratio AND o.processors = p.processors
),
counted AS (
    SELECT source, decomposition, latency, count(*) AS cells, sum(points <= 1) AS within_1,
           sum(points <= 2) AS within_2, sum(points <= 3) AS within_3
    FROM apart
    GROUP BY source, decomposition, latency
)
SELECT 'modelled' AS kind,
       printf('Table %d: gain of %s over rb2, latency %d',
              (decomposition = 'xy2') * 3 + CASE latency WHEN 0 THEN 2 WHEN 100 THEN 3 ELSE 4 END,
              decomposition, latency) AS claim,
       NULL AS holds,
       CASE WHEN source <> 'ours' THEN NULL
            WHEN within_2 >= 0.95 * cells THEN 'yes'
            WHEN within_2 >= 0.5 * cells THEN 'partly'
            ELSE 'no' END AS printed,
       printf('%sof %d cells %d are within 1 point of the printed ones, %d within 2, %d within 3.',
              CASE source WHEN 'ours' THEN '' ELSE source || ': ' END, cells, within_1, within_2,
              within_3) AS sentence
FROM counted
ORDER BY source = 'naive edges';
