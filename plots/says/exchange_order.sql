-- Tables 5, 6 and 7 of Ranka, Wang and Kumar, of each kind of number: whether algorithms come in the paper's
-- order, whether each step of its section 7.4 holds, C_cost(RS_NH) <= C_cost(RS_N) <= C_cost(LP) <= C_cost(AC),
-- and whether schedules have as many phases. Pairs that the paper has within 10 % are ties there and state
-- nothing. An order holds where nine of ten pairs keep it, in part where more than half do, which chance
-- gives; a step of the chain where it does at all patterns and sizes, 10 % more being no difference. Phases are as printed within
-- 10 %: in part where half of them are. Those of lp, n - 1, cannot be others.
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
      AND max(a.paper, b.paper) > 1.1 * min(a.paper, b.paper)
    GROUP BY a.kind
),
steps (place, faster, slower, claim) AS (
    VALUES (1, 'rs-nh', 'rs-n', 'rs-nh takes no longer than rs-n (7.4)'),
           (2, 'rs-n', 'lp', 'rs-n takes no longer than lp (7.4)'),
           (3, 'lp', 'ac', 'lp takes no longer than ac (7.4)')
),
chain AS (
    SELECT a.kind, s.place, s.claim, count(*) AS cells, total(a.value <= 1.1 * b.value) AS kept,
           min(a.value / b.value) AS least, max(a.value / b.value) AS most
    FROM steps AS s
    JOIN known AS a ON a.schedule = s.faster
    JOIN known AS b ON b.schedule = s.slower AND b.kind = a.kind AND b.panel = a.panel
        AND b.unit IS a.unit AND b.quantity = a.quantity
    WHERE a.quantity = 'comm ms'
    GROUP BY a.kind, s.place
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
      AND schedule NOT LIKE 'lp%'
    GROUP BY panel, schedule
    HAVING count(coalesce(ours, simulated, model)) > 0
       AND avg(paper) > 0
)
SELECT p.kind, 'The order of the algorithms' AS claim,
       CASE WHEN kept >= 0.9 * pairs THEN 'yes' WHEN kept > 0.5 * pairs THEN 'partly'
            ELSE 'no' END AS holds,
       NULL AS printed,
       printf('%d of %d pairs of algorithms, each at one size, that the paper has more than 10 %% apart come '
              || 'in its order; times are %.3g to %.3g of those on its machine.', kept, pairs, least, most)
           AS sentence
FROM pairs AS p
JOIN times AS t ON t.kind = p.kind
UNION ALL
SELECT kind, claim,
       CASE WHEN kept = cells THEN 'yes' WHEN kept > 0.5 * cells THEN 'partly' ELSE 'no' END,
       NULL,
       printf('%.2f to %.2f of its time; no longer, within 10 %%, at %d of %d patterns and sizes.', least,
              most, kept, cells)
FROM chain
UNION ALL
SELECT NULL, 'How many phases schedules have', NULL,
       CASE WHEN total(abs(value / paper - 1) <= 0.1) = count(*) THEN 'yes'
            WHEN total(abs(value / paper - 1) <= 0.1) >= 0.5 * count(*) THEN 'partly'
            ELSE 'no' END,
       printf('%d of %d are within 10 %% of the paper''s: ', total(abs(value / paper - 1) <= 0.1),
              count(*))
           || group_concat(printf('%s %s %.1f (%.1f)', schedule, panel, value, paper), ', ') || '.'
FROM phases
HAVING count(*) > 0;
