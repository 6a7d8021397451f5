-- The fastest contender in each panel (tables/verdicts.sql).
SELECT kind, NULL AS claim, NULL AS holds, sentence
FROM verdicts
ORDER BY panel COLLATE by_number, x;
