/* The derived table of heats: what each launch says of a contender and its reference. */
#include "db/collect_rows.h"

/* Runs of the launches in which a touched point ran in a heat: what has come may be the reference
 * of what was there before. */
static const char touched_sql[] =
    "CREATE TEMP TABLE rerun AS SELECT id FROM run WHERE (campaign, job, heat, order_seed) IN"
    " (SELECT campaign, job, heat, order_seed FROM run WHERE heat IS NOT NULL AND status = 'ok'"
    "  AND point IN (SELECT point FROM temp.touched));"
    "DELETE FROM raced WHERE run IN (SELECT id FROM temp.rerun);";

/* Of each its times over those of the one that has a twin; that one's row is its twin's. */
static const char fill_sql[] =
    "INSERT INTO raced SELECT run, reference, found ->> 0, found ->> 1, found ->> 2, found ->> 3"
    " FROM (SELECT own.id AS run, base.id AS reference,"
    "   race_ratio(iif(own.id = base.id, t.times, mine.times), theirs.times,"
    "    sample_part(own.criterion)) AS found"
    "  FROM temp.rerun AS n JOIN run AS own ON own.id = n.id AND own.status = 'ok'"
    "  JOIN sampled AS mine ON mine.run = own.id"
    "  JOIN run AS base ON base.campaign = own.campaign AND base.job = own.job"
    "   AND base.heat = own.heat AND base.order_seed = own.order_seed AND base.status = 'ok'"
    "   AND base.criterion = own.criterion"
    "  JOIN twin AS t ON t.run = base.id JOIN sampled AS theirs ON theirs.run = base.id)"
    " WHERE found IS NOT NULL;"
    "DROP TABLE temp.rerun;";

nuce_status nuce_raced_refresh(struct nuce_store *store, struct nuce_error *error)
{
    if (nuce_store_execute(store, touched_sql, error) != NUCE_OK)
        return error->status;
    return nuce_store_execute(store, fill_sql, error);
}
