-- Tables 2 to 7 of Kaddoura, Ranka and Wang. A table holds where 95 of 100 cells are within two
-- points of the printed ones, and does not where fewer than half are.
SELECT 'modelled' AS kind,
       printf('Table %d: what %s gains over rb2, latency %d', "table", decomposition, latency) AS claim,
       CASE WHEN within_2 >= 0.95 * cells THEN 'yes'
            WHEN within_2 >= 0.5 * cells THEN 'partly'
            ELSE 'no' END AS holds,
       printf('%sof %d cells %d are within 1 point of the printed ones, %d within 2, %d within 3.',
              CASE source WHEN 'ours' THEN '' ELSE source || ': ' END, cells, within_1, within_2,
              within_3) AS sentence
FROM plotted
ORDER BY "table", source = 'naive edges';
