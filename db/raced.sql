-- The derived table `raced`: the ratio of a contender to its race's reference in each launch, for launches in
-- which a point of temp.touched ran in a race. A new run may be the reference of earlier ones. If a job of
-- that name ran the race again, order_seed, the time of its start, separates the two.
CREATE TEMP TABLE rerun AS
SELECT id
FROM run
WHERE (campaign, job, race, order_seed) IN (
    SELECT campaign, job, race, order_seed
    FROM run
    WHERE race IS NOT NULL
      AND order_seed IS NOT NULL
      AND status = 'ok'
      AND point IN (SELECT point FROM temp.touched));

DELETE FROM raced
WHERE run IN (SELECT id FROM temp.rerun);

-- For each run, its times over those of the reference, which is the run with a duplicate. The reference's row has
-- its duplicate's times, which are the noise. Times are compared by the criterion, the part of a step that the
-- race compares.
INSERT INTO raced
SELECT run, reference, json_extract(metrics, '$[0]'), json_extract(metrics, '$[1]'), json_extract(metrics, '$[2]'),
       json_extract(metrics, '$[3]')
FROM (SELECT own.id AS run,
             base.id AS reference,
             race_ratio(iif(own.id = base.id, t.times, mine.times), theirs.times, sample_part(own.criterion)) AS metrics
      FROM temp.rerun AS n
      JOIN run AS own ON own.id = n.id AND own.status = 'ok'
      JOIN sampled AS mine ON mine.run = own.id
      JOIN run AS base ON base.campaign = own.campaign AND base.job = own.job AND base.race = own.race
           AND base.order_seed = own.order_seed AND base.status = 'ok' AND base.criterion = own.criterion
      JOIN duplicate AS t ON t.run = base.id
      JOIN sampled AS theirs ON theirs.run = base.id)
WHERE metrics IS NOT NULL;

DROP TABLE temp.rerun;
