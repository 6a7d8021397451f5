-- title: Mapping: time to place a square mesh on as many nodes, ms, and links that a message to a neighbour crosses
-- sweep: mapping-growth
-- options: --modelled
-- rows: workload = 'mapping' AND kind = 'modelled' AND json_extract(params, '$.topology') IS NULL
-- rows: AND json_extract(params, '$.layout') IS NULL AND json_extract(params, '$.ports') = 8
-- rows: AND json_extract(params, '$.nodes') = ranks AND json_extract(params, '$.routing') = 'updown'
-- rows: AND json_extract(params, '$."connectivity-of"') = 'free' AND json_extract(params, '$.connectivity') = 0.75
-- rows: AND json_extract(params, '$."per-node"') = 1
-- panel: panel
-- series: placement
-- style: style
-- pivot: placement
-- cells: cell
-- data: value style
-- size: 1200x560
--
-- Processor time of the machine that ran the model, mean over the networks, without the table of distances between
-- switches, which all use; and links of a message to an adjacent process.
WITH known AS (
    SELECT placement, ranks, avg(1000 * place_s) AS ms,
           avg(cardinality / (2 * ranks - 2 * sqrt(ranks))) AS links
    FROM chosen
    GROUP BY placement, ranks
),
shown AS (
    SELECT 1 AS panel_place, 'time, ms' AS panel, placement, ranks, ms AS value FROM known
    UNION ALL
    SELECT 2, 'links of a message', placement, ranks, links FROM known
)
SELECT s.panel,
       s.ranks,
       s.placement,
       printf('%.3g', s.value) AS cell,
       s.value,
       dense_rank() OVER (ORDER BY a.place) AS style
FROM shown AS s
JOIN placements AS a ON a.name = s.placement
ORDER BY s.panel_place, a.place, s.ranks;

-- says
-- The statements of Moh, Yu, Youn, Lee and Han on the time of a placement (sections 1 and 4). Each holds
-- if, from the smallest number of processes to the largest, processor time grows by at most twice the
-- stated growth. Over less than 16 times as many processes the result is unknown.
WITH stated (place, placement, claim, said) AS (
    VALUES (1, 'rm', 'RM takes O(n) time', 'n'),
           (2, 'sm', 'SM takes O(n log n) time', 'n log n'),
           (3, 'bm', 'BM takes O(n^2 log^2 n) time', 'n^2 log^2 n')
),
ends AS (
    SELECT s.*, min(p.ranks) AS n, max(p.ranks) AS more
    FROM stated AS s
    JOIN plotted AS p ON p.placement = s.placement AND p.panel = 'time, ms'
    GROUP BY s.place
),
grown AS (
    SELECT e.*, last.value / first.value AS factor,
           CASE e.placement WHEN 'rm' THEN 1.0 * more / n
                WHEN 'sm' THEN 1.0 * more / n * ln(more) / ln(n)
                ELSE pow(1.0 * more / n * ln(more) / ln(n), 2) END AS allowed
    FROM ends AS e
    JOIN plotted AS first ON first.placement = e.placement AND first.panel = 'time, ms' AND first.ranks = n
    JOIN plotted AS last ON last.placement = e.placement AND last.panel = 'time, ms' AND last.ranks = more
    WHERE first.value > 0
)
SELECT claim,
       CASE WHEN more < 16 * n THEN NULL WHEN factor <= 2 * allowed THEN 'yes' ELSE 'no' END AS holds,
       printf('from n = %d to %d processor time grows %.3g times, %s %.3g times', n, more, factor, said, allowed)
           || CASE WHEN placement = 'sm' AND factor > 2 * allowed
                   THEN ': ours looks for a buddy among all that are free, which the paper does not count'
                   ELSE '' END || '.' AS sentence
FROM grown
ORDER BY place;
