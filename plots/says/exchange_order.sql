-- Tables 5, 6 and 7 of Ranka, Wang and Kumar, of each kind of number: whether algorithms come in the
-- paper's order, whether what its sections 7.3 and 7.4 say of two algorithms does, such as C_cost(RS_NH) <=
-- C_cost(RS_N) <= C_cost(LP) <= C_cost(AC), and whether schedules have as many phases. Pairs that the paper
-- has within 10 % are ties there and state nothing. An order holds where nine of ten pairs keep it, in part
-- where more than half do, which chance gives; what is said of two where it does at all patterns and sizes,
-- in part where at more than half of them, 10 % being no difference. Phases are as printed within 10 %: in
-- part where half of them are. Those of lp, n - 1, cannot be others.
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
-- What one takes over another, and between what the paper's sentence has it. 'Big margin' is taken for a
-- fifth less, 'considerable' and differences at all for a tenth.
steps (place, quantity, one, other, panels, low, high, claim) AS (
    VALUES (1, 'comm ms', 'rs-nh', 'rs-n', '*', 0, 1.1, 'rs-nh takes no longer than rs-n (7.4)'),
           (2, 'comm ms', 'rs-n', 'lp', '*', 0, 1.1, 'rs-n takes no longer than lp (7.4)'),
           (3, 'comm ms', 'lp', 'ac', '*', 0, 1.1, 'lp takes no longer than ac (7.4)'),
           (4, 'comp ms', 'ac', 'lp', '*', 0, 1.1, 'ac costs no more to schedule than lp (7.4)'),
           (5, 'comp ms', 'lp', 'rs-n', '*', 0, 1.1, 'lp costs no more to schedule than rs-n (7.4)'),
           (6, 'comp ms', 'rs-n', 'rs-nh', '*', 0, 1.1, 'rs-n costs no more to schedule than rs-nh (7.4)'),
           (7, 'comm ms', 'rs-n', 'lp', 'd = *', 0, 0.8, 'rs-n outperforms lp by a big margin (7.3.1)'),
           (8, 'comm ms', 'rs-n', 'ac', 'd = *', 0, 0.8, 'rs-n outperforms ac by a big margin (7.3.1)'),
           (9, 'comm ms', 'rs-n-sort', 'rs-n', 'd = *', 0.9, 9e99, 'rs-n-sort does not improve on rs-n (7.3.1)'),
           (10, 'comm ms', 'rs-nh', 'rs-n', 'd = *', 0, 0.9,
            'rs-nh is a considerable improvement over rs-n (7.3.1)'),
           (11, 'comm ms', 'rs-nh-lambda1', 'rs-n', 'skewed', 0.9, 1.1,
            'rs-nh with lambda 1 performs as rs-n on skewed patterns (7.3.2)'),
           (12, 'comm ms', 'rs-nh', 'rs-n', 'skewed', 0, 0.9,
            'rs-nh is a clear improvement over rs-n on skewed patterns (7.3.2)'),
           (13, 'comm ms', 'rs-nh-fixed', 'rs-nh', '* mesh points', 0.9, 1.1,
            'a fixed lambda is comparable to the incremental one on meshes (7.3.3)')
),
chain AS (
    SELECT a.kind, s.place, s.other, s.claim, count(*) AS cells,
           total(a.value BETWEEN s.low * b.value AND s.high * b.value) AS kept,
           min(a.value / b.value) AS least, max(a.value / b.value) AS most
    FROM steps AS s
    JOIN known AS a ON a.schedule = s.one AND a.quantity = s.quantity AND a.panel GLOB s.panels
    JOIN known AS b ON b.schedule = s.other AND b.kind = a.kind AND b.panel = a.panel
        AND b.unit IS a.unit AND b.quantity = a.quantity AND b.value > 0
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
SELECT p.kind, 'The order of the algorithms (7.3)' AS claim,
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
       printf('%.2f to %.2f of its time; so at %d of %d patterns and sizes.', least, most, kept, cells)
           || CASE WHEN other = 'ac' AND kept <= 0.5 * cells
                   THEN ' Sends of ac do not block here, as the CM-5''s did: that ac is ac-blocking.'
                   ELSE '' END
FROM (SELECT * FROM chain ORDER BY kind, place)
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
