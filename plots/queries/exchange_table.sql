-- table: exchange_cells exchange_rows exchange_pairs
-- pivot: schedule
-- cells: cell
-- data: value low high instances
SELECT panel, quantity, item_bytes, source, schedule, cell, value, low, high, instances
FROM exchange_rows
ORDER BY panel_place, panel, quantity, item_bytes, source_place, place, schedule;

-- says
-- Tables 5, 6 and 7 of Ranka, Wang and Kumar, for each kind of number. It tests the paper's order of algorithms, the
-- statements of its sections 7.3 and 7.4 on two algorithms, such as C_cost(RS_NH) <= C_cost(RS_N) <= C_cost(LP) <=
-- C_cost(AC), and the number of phases. Pairs that the paper has within 10 % are ties there and state nothing.
--
-- Measured times are judged if a race is conclusive (tables/exchange_pairs.sql). The order of two is conclusive if
-- their interval lies to one side of 1 and further off than the noise's reach. A statement on two is conclusive if
-- the interval lies within the stated range, or outside of it by more than this reach. An order holds if nine of ten
-- pairs keep it, in part if more than half do, which chance gives. A statement on two holds if it does at all
-- patterns and sizes, in part if at more than half of them, where 10 % is no difference. There is no verdict on two
-- if fewer than half of the patterns and sizes are conclusive.
--
-- Phases are as printed within 10 %, in part if half of them are. Those of lp, n - 1, cannot differ. The paper's AC
-- corresponds to sends that block, ac-blocking. Its times from 64 B to 4 KiB are as printed within 25 %, when its
-- machine is simulated or modelled. The gain of rs-n there over ac-blocking and over ac is compared with the printed
-- gain.
WITH known AS (
    SELECT p.*, abs(ln(ratio)) > reach AS is_more, t.value AS paper_one, u.value AS paper_other
    FROM exchange_pairs AS p
    JOIN paper AS t ON t.panel = p.panel AND coalesce(t.item_bytes, p.item_bytes) IS p.item_bytes AND t.schedule = p.one
        AND replace(t.quantity, '_', ' ') = p.quantity
    JOIN paper AS u ON u.panel = p.panel AND coalesce(u.item_bytes, p.item_bytes) IS p.item_bytes AND u.schedule = p.other
        AND replace(u.quantity, '_', ' ') = p.quantity
    WHERE t.value IS NOT NULL
      AND u.value IS NOT NULL
),
pairs AS (
    SELECT kind, count(*) AS pairs, count(side) AS told, total(side = sign(paper_one - paper_other)) AS kept
    FROM (SELECT *, CASE WHEN is_more AND high < 1 THEN -1 WHEN is_more AND low >= 1 THEN 1 END AS side
          FROM known
          WHERE quantity = 'comm ms'
            AND other > one
            AND max(paper_one, paper_other) > 1.1 * min(paper_one, paper_other))
    GROUP BY kind
),
-- The ratio of one to another, and the range of the paper's sentence. 'Big margin' is taken as a fifth less,
-- 'considerable' and any difference as a tenth.
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
    SELECT kind, place, other, claim, count(*) AS cells, count(is_so) AS told, total(is_so) AS kept,
           coalesce(min(ratio) FILTER (WHERE is_so IS NOT NULL), min(ratio)) AS least,
           coalesce(max(ratio) FILTER (WHERE is_so IS NOT NULL), max(ratio)) AS most,
           iif(max(limit_high) = 1.1, ' within 10 %', '') AS within
    FROM (SELECT k.kind, s.place, s.other, s.claim, k.ratio, s.high AS limit_high,
                 CASE WHEN k.low >= s.low AND k.high <= s.high AND (k.is_more OR s.high >= 1 AND s.low < 1) THEN 1
                      WHEN k.is_more AND (k.high < s.low OR k.low > s.high) THEN 0 END AS is_so
          FROM steps AS s
          JOIN known AS k ON k.one = s.one AND k.other = s.other AND k.quantity = s.quantity
              AND k.panel GLOB s.panels)
    GROUP BY kind, place
),
times AS (
    SELECT kind, min(value / paper) AS least, max(value / paper) AS most
    FROM (SELECT 'measured' AS kind, ours AS value, paper, quantity FROM exchange_cells
          UNION ALL
          SELECT 'simulated', simulated, paper, quantity FROM exchange_cells
          UNION ALL
          SELECT 'modelled', model, paper, quantity FROM exchange_cells)
    WHERE quantity = 'comm ms'
      AND value IS NOT NULL
      AND paper IS NOT NULL
    GROUP BY kind
),
-- At each pattern and size: the time of AC over the paper's, for sends that block and sends that do not; and the
-- gain of rs-n over either, and over the paper's AC.
blocking AS (
    SELECT k.kind, k.blocking / a.paper AS of_paper, k.ac / a.paper AS ac_of_paper, a.paper / r.paper AS printed_gain,
           k.blocking / k.rs_n AS gain, k.ac / k.rs_n AS ac_gain
    FROM (SELECT kind, panel, item_bytes, max(value) FILTER (WHERE schedule = 'ac-blocking') AS blocking,
                 max(value) FILTER (WHERE schedule = 'ac') AS ac, max(value) FILTER (WHERE schedule = 'rs-n') AS rs_n
          FROM (SELECT 'simulated' AS kind, panel, item_bytes, schedule, simulated AS value FROM exchange_cells
                WHERE quantity = 'comm ms'
                UNION ALL
                SELECT 'modelled', panel, item_bytes, schedule, model FROM exchange_cells WHERE quantity = 'comm ms')
          WHERE item_bytes BETWEEN 64 AND 4096
          GROUP BY kind, panel, item_bytes) AS k
    JOIN exchange_cells AS a ON a.panel = k.panel AND a.item_bytes = k.item_bytes AND a.quantity = 'comm ms' AND a.schedule = 'ac'
    JOIN exchange_cells AS r ON r.panel = k.panel AND r.item_bytes = k.item_bytes AND r.quantity = 'comm ms' AND r.schedule = 'rs-n'
    WHERE k.blocking IS NOT NULL
      AND a.paper IS NOT NULL
),
-- The paper has one number for all items.
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
       CASE WHEN told = 0 THEN NULL WHEN kept >= 0.9 * told THEN 'yes' WHEN kept > 0.5 * told THEN 'partly'
            ELSE 'no' END AS holds,
       NULL AS printed,
       CASE WHEN told = 0 THEN printf('none of %d pairs of algorithms', pairs)
            ELSE printf('%d of %d pairs of algorithms', kept, told) END
           || ', each at one size, that the paper has more than 10 % apart '
           || CASE WHEN told = 0 THEN 'differ significantly here'
                   ELSE 'come in its order' || iif(told < pairs, printf('; %d others do not differ significantly here',
                                                                        pairs - told), '') END
           || printf('; times are %.3g to %.3g of those on its machine.', least, most) AS sentence
FROM pairs AS p
JOIN times AS t ON t.kind = p.kind
UNION ALL
SELECT kind, claim,
       CASE WHEN told < 0.5 * cells THEN NULL WHEN kept = told THEN 'yes' WHEN kept > 0.5 * told THEN 'partly'
            ELSE 'no' END,
       NULL,
       printf('%.2f', least) || iif(printf('%.2f', least) = printf('%.2f', most), '', printf(' to %.2f', most))
           || ' of its time; '
           || CASE WHEN told = 0 THEN printf('inconclusive at all of %d patterns and sizes.', cells)
                   ELSE printf('so%s at %d of %d patterns and sizes', within, kept, told)
                       || iif(told < cells, printf('; inconclusive at %d others.', cells - told), '.') END
           || CASE WHEN other = 'ac' AND told > 0 AND kept <= 0.5 * told
                   THEN ' Sends of ac do not block here, as the CM-5''s did: that ac is ac-blocking.'
                   ELSE '' END
FROM (SELECT * FROM chain ORDER BY kind, place)
UNION ALL
SELECT kind, 'The times of AC, whose sends block', NULL,
       CASE WHEN total(abs(of_paper - 1) <= 0.25) = count(*) THEN 'yes'
            WHEN total(abs(of_paper - 1) <= 0.25) >= 0.5 * count(*) THEN 'partly'
            ELSE 'no' END,
       printf('ac-blocking takes %.2f to %.2f of its time from 64 B to 4 KiB, within 25 %% at %d of %d patterns and'
              || ' sizes%s.', min(of_paper), max(of_paper), total(abs(of_paper - 1) <= 0.25), count(*),
              iif(count(ac_of_paper) = 0, '', printf('; ac, whose sends do not block, %.2f to %.2f', min(ac_of_paper),
                                                     max(ac_of_paper))))
FROM blocking
GROUP BY kind
UNION ALL
SELECT kind, 'Gain of rs-n over AC', NULL, NULL,
       printf('speed-up of %.2f to %.2f in the paper, here of %.2f to %.2f over ac-blocking%s.',
              min(printed_gain), max(printed_gain), min(gain), max(gain),
              iif(count(ac_gain) = 0, '',
                  printf(', and of %.2f to %.2f over ac: of %d gains of more than 2 %% over blocking sends %d remain'
                         || ' over sends that do not block', min(ac_gain), max(ac_gain), total(gain > 1.02),
                         total(gain > 1.02 AND ac_gain > 1.02))))
FROM blocking
WHERE gain IS NOT NULL
  AND printed_gain IS NOT NULL
GROUP BY kind
UNION ALL
SELECT NULL, 'Number of phases of schedules', NULL,
       CASE WHEN total(abs(value / paper - 1) <= 0.1) = count(*) THEN 'yes'
            WHEN total(abs(value / paper - 1) <= 0.1) >= 0.5 * count(*) THEN 'partly'
            ELSE 'no' END,
       printf('%d of %d are within 10 %% of the paper''s: ', total(abs(value / paper - 1) <= 0.1),
              count(*))
           || group_concat(printf('%s %s %.1f (%.1f)', schedule, panel, value, paper), ', ') || '.'
FROM phases
GROUP BY NULL HAVING count(*) > 0;
