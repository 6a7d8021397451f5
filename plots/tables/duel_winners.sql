-- The winners of `duels` in a few words, for the verdicts: a row for each kind, pattern and rank count.
WITH winners AS (
    SELECT kind, pattern, ranks, winner, count(*) AS sizes,
           CASE WHEN count(*) <= 6 THEN group_concat(coalesce(size, 'its own size'), ', ') END AS named,
           min(factor) AS least, max(factor) AS most, total(significant = 'yes') AS sure,
           total(significant = 'BUSY') AS busy,
           total(significant = 'too few') AS few, total(significant = 'tie') AS tied,
           total(significant = 'disagree') AS disagree, count(significant) AS judged,
           group_concat(DISTINCT next) AS others
    FROM (SELECT * FROM duels ORDER BY unit, elements, times)
    GROUP BY kind, pattern, ranks, winner
),
spoken AS (
    SELECT kind, pattern, ranks, sizes, winner,
           winner || CASE WHEN named IS NULL THEN printf(' is fastest at %d sizes', sizes) ELSE ' is fastest at ' || named END
               || CASE WHEN least IS NULL THEN '' ELSE
                   printf(' (the next, %s, takes %s times as long%s)',
                          CASE WHEN instr(others, ',') = 0 THEN others ELSE 'not always the same' END,
                          CASE WHEN printf('%.2f', least) = printf('%.2f', most) THEN printf('%.2f', least)
                               ELSE printf('%.2f to %.2f', least, most) END,
                          CASE WHEN judged = 0 THEN ''
                               WHEN busy = sizes THEN ', not judged, the machine was BUSY'
                               WHEN tied = sizes THEN ': a tie'
                               WHEN disagree = sizes THEN ', not judged, runs disagree'
                               WHEN few = sizes THEN ', on too few instances to be sure'
                               WHEN sure = 0 THEN ', not significantly'
                               WHEN sure = sizes THEN ', significantly'
                               ELSE printf(', significantly at %d of %d', sure, sizes) END
                              || CASE WHEN busy BETWEEN 1 AND sizes - 1
                                      THEN printf(', %d not judged, the machine was BUSY', busy)
                                      ELSE '' END
                              || CASE WHEN disagree BETWEEN 1 AND sizes - 1
                                      THEN printf(', %d not judged, runs disagree', disagree)
                                      ELSE '' END) END AS words
    FROM winners
)
SELECT kind, pattern, ranks,
       printf('%s, %d ranks: ', pattern, ranks) || group_concat(words, '; ') || '.' AS sentence
FROM (SELECT * FROM spoken ORDER BY sizes DESC, winner)
GROUP BY kind, pattern, ranks;
