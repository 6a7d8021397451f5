-- Figures 5(a) and 5(b) of Bhat, Prasanna and Raghavendra: how far from the lower bound the means of
-- each algorithm are. What the paper states of it is judged in redistribution-claims.
SELECT 'modelled' AS kind,
       printf('%s: %.3f to %.3f times the lower bound.', series, min(value), max(value)) AS sentence
FROM plotted
WHERE panel = 'over the lower bound'
GROUP BY series
ORDER BY min(value), series;
