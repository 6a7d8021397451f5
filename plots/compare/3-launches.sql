-- The times of the runs of matched points, and the order of their launches. `timed` (run, seconds) has the time of the
-- part.
--
-- Times that are not above 0 have no ratio. Points without a message, or too short in most launches, give no result.
CREATE TEMP TABLE valued AS SELECT c.run, c.match, c.side, c.launch, c.race, m.part, t.seconds,
    coalesce(r.until_known, 0) AS known,
    coalesce(r.too_short, 0) OR coalesce(json_extract(r.metrics, '$.messages') = 0, 0) AS moot
FROM matched AS m JOIN compared AS c ON c.match = m.match JOIN run AS r ON r.id = c.run JOIN timed AS t ON t.run = c.run;
CREATE INDEX temp.valued_by_match ON valued (match, launch);
UPDATE matched SET untimed = 1 WHERE EXISTS (SELECT 1 FROM valued AS v WHERE v.match = matched.match GROUP BY v.side
    HAVING avg(v.moot) > 0.5 OR max(coalesce(v.seconds <= 0, 1)));
DELETE FROM valued WHERE match IN (SELECT match FROM matched WHERE untimed);

-- by_campaign: each side has several campaigns, none is of both sides, and some have several launches. Launches of one
-- campaign share the state of the machine; its effect is only known if both sides have several campaigns. drifts: all
-- of one side comes before all of the other, or a side is a single campaign and no campaign is on both sides. A drift
-- of the machine would then look like a difference.
CREATE TEMP TABLE designed AS SELECT match,
    both = 0 AND of_a > 1 AND of_b > 1 AND launches > of_a + of_b AS by_campaign,
    NOT (last_a > first_b AND last_b > first_a) OR (both = 0 AND (of_a < 2 OR of_b < 2)) AS drifts
FROM (SELECT match, max(started) FILTER (WHERE side = 0) AS last_a, min(started) FILTER (WHERE side = 0) AS first_a,
        max(started) FILTER (WHERE side = 1) AS last_b, min(started) FILTER (WHERE side = 1) AS first_b,
        count(DISTINCT campaign) FILTER (WHERE side = 0) AS of_a,
        count(DISTINCT campaign) FILTER (WHERE side = 1) AS of_b,
        count(DISTINCT campaign) FILTER (WHERE side = 0) + count(DISTINCT campaign) FILTER (WHERE side = 1)
            - count(DISTINCT campaign) AS both,
        count(DISTINCT launch) AS launches
    FROM compared WHERE match IN (SELECT match FROM matched) GROUP BY match);
