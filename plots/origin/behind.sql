-- The jobs of all runs that the measured rows of `chosen` pool, with a flag for a busy machine at the start. It goes
-- through jobs, which are few, and stops at the first such run of each: going through runs would take as long as the
-- plot itself.
CREATE TEMP TABLE behind AS
WITH one AS (SELECT DISTINCT environment, kind, wait FROM chosen WHERE kind = 'measured')
SELECT d.* FROM one JOIN disturbed AS d ON d.environment = one.environment
WHERE EXISTS (SELECT 1 FROM run AS r WHERE r.campaign = d.campaign AND r.job = d.id
    AND r.status = 'ok' AND r.kind = one.kind AND coalesce(r.wait, '') = one.wait
    AND r.point IN (SELECT point FROM chosen WHERE kind = 'measured'));
