-- The results of each launch, as `launched`, if each launch is of one side: the logarithm of its median. For points
-- compared by campaign, the campaigns (below 0) with the mean of their launches. Nothing raced, so `duplicated` has no
-- row.
CREATE TEMP TABLE launched AS SELECT match, side, unit AS launch, avg(logarithm) AS logarithm, NULL AS effect,
    max(known) AS known FROM
    (SELECT v.match, v.side, iif(d.by_campaign, -c.campaign, v.launch) AS unit, avg(ln(v.seconds)) AS logarithm,
        max(v.known AND NOT d.by_campaign) AS known
    FROM valued AS v JOIN compared AS c ON c.run = v.run JOIN designed AS d ON d.match = v.match
    GROUP BY v.match, v.side, v.launch)
GROUP BY match, side, unit;
CREATE TEMP TABLE duplicated (match TEXT, launch INTEGER, l REAL, known INTEGER);
