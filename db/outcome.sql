-- The derived table `outcome`, for the points of temp.touched, which is empty afterwards: medians with their
-- intervals from runs that ended ok, in groups that are never pooled with others. It is a table and not a
-- view, because each use of a view would read all samples of a campaign. The columns are those of the table,
-- in its order. The last run of a group is the latest. The hash decides between two that started in one
-- millisecond, so the result does not depend on the order of collecting.
DELETE FROM outcome
WHERE point IN (SELECT point FROM temp.touched);

INSERT INTO outcome
SELECT point, environment, kind, wait, runs, latest, n, too_short,
       figure_of(parts, 0), figure_of(parts, 1), figure_of(parts, 2), -- step, low and high
       figure_of(parts, 3), figure_of(parts, 4), figure_of(parts, 5), -- pack
       figure_of(parts, 6), figure_of(parts, 7), figure_of(parts, 8), -- communication
       figure_of(parts, 9), figure_of(parts, 10), figure_of(parts, 11), -- unpack
       figure_of(parts, 12), figure_of(parts, 13), figure_of(parts, 14), -- computation
       figure_of(indexed, 0), figure_of(indexed, 1), figure_of(indexed, 2),
       figure_of(gathered, 0), figure_of(gathered, 1), figure_of(gathered, 2),
       figure_of(scheduled, 0), figure_of(scheduled, 1), figure_of(scheduled, 2),
       figure_of(first, 0), figure_of(first, 1), figure_of(first, 2),
       figure_of(parts, 15), figure_of(parts, 16), figure_of(parts, 17), -- rebalance
       figure_of(parts, 18), figure_of(parts, 19), figure_of(parts, 20), -- move
       figure_of(parts, 21), figure_of(parts, 22), figure_of(parts, 23) -- own
FROM (SELECT r.point,
             j.environment,
             r.kind,
             coalesce(r.wait, '') AS wait,
             count(*) AS runs,
             max(r.started || ' ' || r.hash),
             r.id AS latest, -- from the row with the max
             sum(r.samples) AS n,
             -- as most runs with a value of it say
             iif(count(r.too_short) > 0, 2 * total(r.too_short <> 0) > count(r.too_short), NULL) AS too_short,
             -- a subquery, so that sorting of groups moves only its run and not the text
             medians_of_parts((SELECT times FROM sampled WHERE run = r.id)) AS parts,
             median_of(json_extract(r.metrics, '$.index_s')) AS indexed,
             median_of(json_extract(r.metrics, '$.gather_s')) AS gathered,
             median_of(json_extract(r.metrics, '$.schedule_s')) AS scheduled,
             median_of(json_extract(r.metrics, '$.first_s')) AS first
      FROM temp.touched AS t
      JOIN run AS r ON r.point = t.point AND r.status = 'ok'
      JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job
      GROUP BY r.point, j.environment, r.kind, coalesce(r.wait, ''));

DELETE FROM temp.touched;
