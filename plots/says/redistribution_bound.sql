-- Figures 5(a) and 5(b) of Bhat, Prasanna and Raghavendra: the distance of each algorithm's means
-- from the lower bound. redistribution-claims judges the paper's statements on it.
SELECT 'modelled' AS kind,
       printf('%s: %.3f to %.3f times the lower bound.', series, min(value), max(value)) AS sentence
FROM plotted
WHERE panel = 'over the lower bound'
GROUP BY series
ORDER BY min(value), series;
