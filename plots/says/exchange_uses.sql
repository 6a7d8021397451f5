-- Figure 14 of Ranka, Wang and Kumar: the cost of a schedule relative to one use. For messages of up to
-- 16 KiB, which are items of 512 bytes, rs-n's cost is below a quarter; rs-nh's is more, and negligible
-- for larger messages. The first holds if it does at all sizes from there on. The second holds if
-- rs-nh's is above rs-n's everywhere. The third holds if it is below a twentieth from items of 1 KiB on.
-- Each holds in part if it does at half of the sizes at least. Then follows the number of uses that pays
-- for a schedule.
WITH cells AS (
    SELECT h.panel, h.item_bytes, h.fraction AS heap, n.fraction AS plain
    FROM plotted AS h
    LEFT JOIN plotted AS n ON n.schedule = 'rs-n' AND n.panel = h.panel AND n.item_bytes = h.item_bytes
    WHERE h.schedule = 'rs-nh'
),
judged (place, claim, good, value) AS (
    SELECT 1, 'Scheduling by rs-n is below a quarter of using it once, messages of 16 KiB on (7.3.1)',
           fraction < 0.25, fraction
    FROM plotted
    WHERE schedule = 'rs-n' AND item_bytes >= 512
    UNION ALL
    SELECT 2, 'Heaps are expensive: rs-nh''s scheduling costs more than rs-n''s (7.3.1)', heap > plain, heap / plain
    FROM cells
    WHERE plain > 0
    UNION ALL
    SELECT 3, 'Scheduling by rs-nh is negligible for messages larger than 16 KiB (7.3.1)', heap < 0.05, heap
    FROM cells
    WHERE item_bytes >= 1024
),
uses AS (
    SELECT schedule, count(*) AS cells, count(break_even_ac) AS paid, min(break_even_ac) AS least,
           max(break_even_ac) AS most
    FROM plotted
    WHERE schedule IN ('rs-n', 'rs-nh')
      AND over_ac IS NOT NULL
    GROUP BY schedule
)
SELECT 'measured' AS kind, claim,
       CASE WHEN total(good) = count(*) THEN 'yes' WHEN total(good) >= 0.5 * count(*) THEN 'partly'
            ELSE 'no' END AS holds,
       CASE WHEN min(value) < max(value) THEN printf('%.3g to %.3g', min(value), max(value))
            ELSE printf('%.3g', max(value)) END
           || printf(' times %s; so at %d of %d degrees and sizes.',
                     iif(place = 2, 'as much', 'one communication'), total(good), count(*)) AS sentence
FROM judged
GROUP BY place
UNION ALL
SELECT 'measured', NULL, NULL,
       printf('%s against ac: ', schedule)
           || CASE WHEN paid = 0 THEN 'its schedule is never paid for, as ac is faster'
                   ELSE printf('its schedule is paid for after %s use%s at %d of %d degrees and sizes'
                               || '%s',
                               CASE WHEN least = most THEN printf('%d', most)
                                    ELSE printf('%d to %d', least, most) END,
                               iif(most = 1, '', 's'), paid, cells,
                               iif(paid = cells, '', ', never at the others')) END || '.'
FROM uses;
