-- Who wins each layout: at which targets, by how much, at how many of them significantly. The paper's
-- statements are redistribution-claims.
SELECT kind, NULL AS claim, NULL AS holds, sentence
FROM duel_winners
ORDER BY kind, pattern, ranks;
