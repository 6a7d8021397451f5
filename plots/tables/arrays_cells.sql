-- The rows of one of Tables 2 to 7: from the table arrays_gains, and the table paper below them.
SELECT printf('1K x %dK', columns / 1000) AS array, columns, ratio, source, source_place, processors,
       cell, percent AS value, samples
FROM arrays_gains
UNION ALL
SELECT printf('1K x %dK', columns / 1000), columns, ratio, 'paper', 3, processors,
       printf('%d', percent), percent, NULL
FROM paper
