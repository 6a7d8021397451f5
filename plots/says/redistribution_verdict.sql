-- Which schedule is the fastest of each layout (tables/verdicts.sql). The paper's statements are
-- redistribution-claims.
SELECT kind, NULL AS claim, NULL AS holds, sentence
FROM verdicts
ORDER BY kind, panel, x;
