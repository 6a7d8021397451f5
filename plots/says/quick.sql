-- Which contender is the fastest in each panel (tables/verdicts.sql).
SELECT kind, NULL AS claim, NULL AS holds, sentence
FROM verdicts
ORDER BY panel, x;
