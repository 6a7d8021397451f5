-- The fastest schedule of each layout (tables/verdicts.sql). redistribution-claims has the paper's
-- statements.
SELECT kind, NULL AS claim, NULL AS holds, sentence
FROM verdicts
ORDER BY kind, panel COLLATE by_number, x;
