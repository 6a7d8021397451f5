-- Tables 5, 6 and 7 of Ranka, Wang and Kumar: whether algorithms come in the paper's order, of each
-- kind of number, and whether schedules have as many phases. The order holds where nine of ten pairs
-- keep it, and does not where at most half do, which chance gives; phases hold within 10 %.
WITH named (kind, panel, unit, quantity, schedule, value, paper) AS (
    SELECT 'measured', panel, unit, quantity, schedule, ours, paper FROM exchange_cells
    UNION ALL
    SELECT 'simulated', panel, unit, quantity, schedule, simulated, paper FROM exchange_cells
    UNION ALL
    SELECT 'modelled', panel, unit, quantity, schedule, model, paper FROM exchange_cells
),
known AS (
    SELECT * FROM named WHERE value IS NOT NULL AND paper IS NOT NULL
),
pairs AS (
    SELECT a.kind, count(*) AS pairs, total((a.value < b.value) = (a.paper < b.paper)) AS kept
    FROM known AS a
    JOIN known AS b ON b.kind = a.kind AND b.panel = a.panel AND b.unit IS a.unit
        AND b.quantity = a.quantity AND b.schedule > a.schedule
    WHERE a.quantity = 'comm ms'
    GROUP BY a.kind
),
times AS (
    SELECT kind, min(value / paper) AS least, max(value / paper) AS most
    FROM known
    WHERE quantity = 'comm ms'
    GROUP BY kind
),
-- The paper has one number for all units.
phases AS (
    SELECT panel, schedule, avg(coalesce(ours, simulated, model)) AS value, avg(paper) AS paper
    FROM exchange_cells
    WHERE quantity = 'phases'
    GROUP BY panel, schedule
    HAVING count(coalesce(ours, simulated, model)) > 0
       AND avg(paper) > 0
)
SELECT p.kind, 'The order of the algorithms' AS claim,
       CASE WHEN kept >= 0.9 * pairs THEN 'yes' WHEN kept <= 0.5 * pairs THEN 'no'
            ELSE 'partly' END AS holds,
       printf('%d of %d pairs of algorithms, each at one size, come in the paper''s order; times are'
              || ' %.3g to %.3g of those on its machine.', kept, pairs, least, most) AS sentence
FROM pairs AS p
JOIN times AS t ON t.kind = p.kind
UNION ALL
SELECT NULL, 'How many phases schedules have',
       CASE WHEN total(abs(value / paper - 1) <= 0.1) = count(*) THEN 'yes'
            WHEN total(abs(value / paper - 1) <= 0.1) = 0 THEN 'no'
            ELSE 'partly' END,
       printf('%d of %d are within 10 %% of the paper''s: ', total(abs(value / paper - 1) <= 0.1),
              count(*))
           || group_concat(printf('%s %s %.1f (%.1f)', schedule, panel, value, paper), ', ') || '.'
FROM phases
HAVING count(*) > 0;
