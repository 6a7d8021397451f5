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
