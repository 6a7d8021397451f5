-- The results of each launch for contenders that raced in it, as `launched`. It has the logarithms of both medians,
-- and, with B, of the ratio of the two (effect), as in the view `against`.
--
-- `turn`: the ratio of contenders to the reference in each launch, for the part that the race compares or the requested
-- part.
CREATE TEMP TABLE turn (run INTEGER PRIMARY KEY, ratio REAL);
INSERT INTO turn SELECT run, ratio FROM launch_ratio
WHERE (SELECT part FROM asked) IS NULL AND contender <> 'duplicate' AND run IN (SELECT run FROM valued);
INSERT INTO turn SELECT v.run,
    iif(v.run = a.reference, 1.0, json_extract(race_ratio(s.times, base.times, sample_part(v.part)), '$[1]'))
FROM valued AS v JOIN raced AS a ON a.run = v.run
JOIN sampled AS s ON s.run = v.run JOIN sampled AS base ON base.run = a.reference
WHERE (SELECT part FROM asked) IS NOT NULL;
CREATE TEMP TABLE paired AS SELECT a.match, a.launch, avg(ln(a.seconds)) AS a_logarithm,
    avg(ln(b.seconds)) AS b_logarithm, avg(ln(mine.ratio / theirs.ratio)) AS effect, max(a.known) AS known
FROM valued AS a
JOIN valued AS b ON b.match = a.match AND b.launch = a.launch AND b.race = a.race AND b.side = 1
JOIN turn AS theirs ON theirs.run = a.run JOIN turn AS mine ON mine.run = b.run
WHERE a.side = 0 AND theirs.ratio > 0 AND mine.ratio > 0 GROUP BY a.match, a.launch;
CREATE TEMP TABLE launched AS SELECT match, 0 AS side, launch, a_logarithm AS logarithm, NULL AS effect, known
FROM paired
UNION ALL SELECT match, 1, launch, b_logarithm, effect, known FROM paired;

-- `duplicated`: the ratio of the races' references to themselves in each compared launch.
CREATE TEMP TABLE duplicated (match TEXT, launch INTEGER, l REAL, known INTEGER);
INSERT INTO duplicated SELECT v.match, v.launch, avg(ln(t.ratio)), 2 * max(v.known)
FROM (SELECT DISTINCT match, launch, known, valued.race, r.campaign, r.job FROM valued JOIN run AS r ON r.id = valued.run
    WHERE match IN (SELECT match FROM launched)) AS v
JOIN launch_ratio AS t ON t.contender = 'duplicate' AND t.race = v.race AND t.campaign = v.campaign AND t.job = v.job
WHERE (SELECT part FROM asked) IS NULL GROUP BY v.match, v.launch;
INSERT INTO duplicated SELECT v.match, v.launch,
    avg(ln(json_extract(race_ratio(t.times, base.times, sample_part(v.part)), '$[1]'))), 2 * max(v.known)
FROM (SELECT DISTINCT match, launch, known, part, a.reference FROM valued JOIN raced AS a ON a.run = valued.run
    WHERE match IN (SELECT match FROM launched)) AS v
JOIN duplicate AS t ON t.run = v.reference JOIN sampled AS base ON base.run = v.reference
WHERE (SELECT part FROM asked) IS NOT NULL GROUP BY v.match, v.launch;
