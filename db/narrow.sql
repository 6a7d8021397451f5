-- Temporary tables and views of the campaigns in `narrowed`, which hide those of the database.
--
-- Rows of outcome that pool only runs of these campaigns are copied; the points of the others are summed up again. A
-- point that also ran in other campaigns is in `touched`, and outcome.sql adds the rows of its runs here to the
-- temporary outcome.

CREATE TEMP VIEW run AS
SELECT * FROM main.run WHERE campaign IN (SELECT id FROM narrowed);

CREATE TEMP VIEW job AS
SELECT * FROM main.job WHERE campaign IN (SELECT id FROM narrowed);

CREATE TEMP VIEW campaign AS
SELECT * FROM main.campaign WHERE id IN (SELECT id FROM narrowed);

CREATE TEMP VIEW record_file AS
SELECT r.*
FROM main.record_file AS r, narrowed AS n
WHERE substr(r.name, 1, length(n.id) + 1) = n.id || '/';

CREATE TEMP TABLE touched (point TEXT PRIMARY KEY) WITHOUT ROWID;

INSERT INTO touched
SELECT DISTINCT point
FROM run
WHERE point IN (SELECT point FROM main.run WHERE campaign NOT IN (SELECT id FROM narrowed));

CREATE TEMP TABLE outcome AS
SELECT *
FROM main.outcome
WHERE point IN (SELECT point FROM run) AND point NOT IN (SELECT point FROM touched);

CREATE INDEX temp.outcome_by_point ON outcome (point);
