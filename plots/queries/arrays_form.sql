-- table: arrays_forms
-- panel: measure
-- series: series
-- style: style
-- pivot: series
-- cells: cell
-- data: value is_form
-- size: 1100x560
--
-- The formulas of the paper's figure with the number `word`, and the decompositions that use them.
SELECT measure,
       x,
       series,
       printf('%.6g', value) AS cell,
       value,
       is_form,
       dense_rank() OVER (ORDER BY is_form DESC, place, series) AS style
FROM arrays_forms
WHERE figure IN word OR series IN word
ORDER BY measure_place, is_form DESC, place, series, x;

-- says
-- Figures 5 to 8 of Kaddoura, Ranka and Wang: layouts of few parts and their costs by formulas. The
-- first statement is that one of these layouts has the least Acost. It holds if our least cost equals
-- the least formula for all shapes (to 1e-5), in part if for half of them. The second is that Figure 8's
-- layout beats those of Figure 7 for some shapes, which xy2 cannot make. It holds if it does for any
-- shape.
WITH shapes AS (
    SELECT x,
           min(CASE WHEN is_form = 1 THEN value END) AS formula,
           min(CASE WHEN is_form = 0 THEN value END) AS ours,
           min(CASE WHEN is_form = 1 AND series <> 'layout of Figure 8' THEN value END) AS others,
           min(CASE series WHEN 'layout of Figure 8' THEN value END) AS eighth,
           min(CASE series WHEN 'xy2' THEN value END) AS xy2,
           min(CASE series WHEN 'tile' THEN value END) AS tile
    FROM plotted
    WHERE measure = 'Acost / m'
    GROUP BY x
),
judged AS (
    SELECT *, abs(ours / formula - 1) <= 1e-5 AS same FROM shapes WHERE ours IS NOT NULL
),
better AS (
    SELECT * FROM judged WHERE eighth < others * (1 - 1e-9)
)
SELECT 'modelled' AS kind, printf('The least Acost is that of one of these layouts%s',
              CASE WHEN count(eighth) > 0 THEN ', Figure 8''s among them (3)' ELSE ' (3)' END) AS claim,
       CASE WHEN total(same) = count(*) THEN 'yes' WHEN total(same) >= 0.5 * count(*) THEN 'partly'
            ELSE 'no' END AS holds,
       printf('so for %d of %d shapes, n / m from %g to %g', total(same), count(*), min(x), max(x))
           || CASE WHEN total(same) = count(*) THEN ''
                   ELSE printf('; for the others, from %g to %g, our best costs %.2f to %.2f %% less',
                               min(CASE WHEN NOT same THEN x END), max(CASE WHEN NOT same THEN x END),
                               min(CASE WHEN NOT same THEN 100 * (1 - ours / formula) END),
                               max(CASE WHEN NOT same THEN 100 * (1 - ours / formula) END)) END
           || '.' AS sentence
FROM judged
GROUP BY NULL HAVING count(*) > 0
UNION ALL
SELECT 'modelled', 'A layout that no cuts into columns give can cost less (3)',
       CASE WHEN count(b.x) > 0 THEN 'yes' ELSE 'no' END,
       printf('Figure 8''s is below (b) and (d) for %d of %d shapes', count(b.x), count(*))
           || CASE WHEN count(b.x) = 0 THEN ''
                   ELSE printf(', n / m from %g to %g, by up to %.2f %%', min(b.x), max(b.x),
                               max(100 * (1 - b.eighth / b.others)))
                       || CASE WHEN count(b.tile) = 0 THEN ''
                               ELSE printf('; tile has it at %d of these',
                                           total(b.tile <= b.eighth * (1 + 1e-5))) END
                       || CASE WHEN count(b.xy2) = 0 THEN ''
                               ELSE printf(', xy2 at %d', total(b.xy2 <= b.eighth * (1 + 1e-5))) END
                   END || '.'
FROM judged AS j
LEFT JOIN better AS b ON b.x = j.x
GROUP BY NULL HAVING count(j.eighth) > 0;
