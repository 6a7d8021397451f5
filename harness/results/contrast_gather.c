/* The temporary tables of a comparison: the runs of both sides (`compared`), the points that both
 * have (`matched`), what their runs took (`valued`) and what each launch says of them (`launched`).
 * A campaign or an environment is matched point by point, its launches being others than the other
 * side's; a way to start ranks, such as an MPI library, by all of the point but itself. A contender
 * is matched by all of the point but itself, in one environment, and in each launch that raced both
 * in a heat it is the ratio of the two that counts, as the view `against` has it. Runs of different
 * wait policies are never matched: they wait for each other in different ways.
 */
#include "results/contrast_gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/record.h"
#include "base/text.h"
#include "results/instances.h"

/* Which column of the runs names what a class compares, what else is equal on both sides (`match`),
 * what is told of a point (NULL: each side has its own), and what the problem is without what is
 * compared; s.key and s.path are what ways set. All is SQL of ours, put into gather_sql as it
 * stands. */
static const struct {
    const char *column, *match, *contender, *point, *environment, *problem;
} classes[] = {
    [NUCE_SIDE_CAMPAIGN] = {"r.campaign", "p.id", "p.contender", "p.id", "NULL", "p.problem"},
    [NUCE_SIDE_ENVIRONMENT] = {"j.environment", "p.id", "p.contender", "p.id", "NULL", "p.problem"},
    [NUCE_SIDE_CONTENDER] = {"p.contender",
                             "p.workload || '/' || p.ranks || '/' || p.problem || j.environment",
                             "NULL", "NULL", "j.environment", "p.problem"},
    [NUCE_SIDE_WAY] = {"(SELECT e.key || '=' || coalesce(e.value, '~')"
                       " FROM json_each(p.problem) AS e WHERE e.key = s.key)",
                       "p.workload || '/' || p.ranks || '/' || json_remove(p.params, s.path)",
                       "p.contender", "NULL", "NULL", "json_remove(p.problem, s.path)"},
};

/* A row for each run of the sides. Its arguments are of `classes`, in the order of the columns.
 * launch numbers the launches of all campaigns, campaign these, from 1 on; side is 0 for A and 1
 * for B. */
static const char gather_sql[] =
    "CREATE TEMP TABLE compared (run INTEGER PRIMARY KEY, side INTEGER, status TEXT, kind TEXT,"
    " started TEXT, launch INTEGER, campaign INTEGER, heat TEXT, workload TEXT, ranks INTEGER, "
    "problem TEXT,"
    " wait TEXT, match TEXT, contender TEXT, point TEXT, environment TEXT);"
    "INSERT INTO compared SELECT r.id, (%s) IN (SELECT value FROM json_each(%Q)), r.status,"
    " r.kind, r.started, dense_rank() OVER (ORDER BY r.campaign, r.job),"
    " dense_rank() OVER (ORDER BY r.campaign), r.heat,"
    " p.workload, p.ranks, %s, r.wait,"
    " %s || '/' || coalesce(r.wait, ''), %s, %s, %s"
    " FROM (SELECT %Q AS key, '$.' || json_quote(%Q) AS path) AS s"
    " CROSS JOIN run AS r JOIN point AS p ON p.id = r.point"
    " JOIN job AS j ON j.campaign = r.campaign AND j.id = r.job"
    " WHERE (%s) IN (SELECT value FROM json_each(%Q) UNION ALL SELECT value FROM json_each(%Q))"
    "  AND (%Q IS NULL OR r.campaign = %Q);"
    "CREATE INDEX temp.compared_by_match ON compared (match, side);";

/* What is left of them of a kind. */
static const char keep_sql[] = "DELETE FROM compared WHERE kind <> %Q OR status <> 'ok';";

/* The points that both sides have, and what their runs took; times that are not above 0 have no
 * ratio; those of no message, or too short to tell in most launches, say nothing. The arguments are
 * the part asked for, and the part's time of a run `r`. */
static const char match_sql[] =
    "CREATE TEMP TABLE matched AS SELECT c.match, coalesce(%Q,"
    "  CASE WHEN count(r.criterion) = count(*) AND min(r.criterion) = max(r.criterion)"
    "   THEN min(r.criterion)"
    "   WHEN count(r.communication_s) = count(*) THEN 'communication' ELSE 'step' END) AS part,"
    "  0 AS untimed"
    " FROM compared AS c JOIN run AS r ON r.id = c.run GROUP BY c.match"
    " HAVING count(DISTINCT c.side) = 2;"
    "CREATE TEMP TABLE valued AS SELECT c.run, c.match, c.side, c.launch, c.heat, part,"
    " %s AS seconds, coalesce(r.too_short, 0) OR coalesce(json_extract(r.found, '$.messages') = 0, "
    "0) AS moot"
    " FROM matched AS m JOIN compared AS c ON c.match = m.match JOIN run AS r ON r.id = c.run;"
    "CREATE INDEX temp.valued_by_match ON valued (match, launch);"
    "UPDATE matched SET untimed = 1 WHERE EXISTS (SELECT 1 FROM valued AS v"
    " WHERE v.match = matched.match GROUP BY v.side"
    " HAVING avg(v.moot) > 0.5 OR max(coalesce(v.seconds <= 0, 1)));"
    "DELETE FROM valued WHERE match IN (SELECT match FROM matched WHERE untimed);";

/* How the launches of each point lie. by_campaign: several campaigns of each side and none of both,
 * some with several launches: those of one are alike in what the machine was like then, and how
 * much that is is known where both sides have several campaigns. drifts: all of one side before all
 * of the other, or a side of one campaign, not that of the other: a machine that drifts would look
 * like a difference. */
static const char designed_sql[] =
    "CREATE TEMP TABLE designed AS SELECT match,"
    " both = 0 AND of_a > 1 AND of_b > 1 AND launches > of_a + of_b AS by_campaign,"
    " NOT (last_a > first_b AND last_b > first_a)"
    "  OR (both = 0 AND (of_a < 2 OR of_b < 2)) AS drifts"
    " FROM (SELECT match, max(started) FILTER (WHERE side = 0) AS last_a,"
    "  min(started) FILTER (WHERE side = 0) AS first_a,"
    "  max(started) FILTER (WHERE side = 1) AS last_b,"
    "  min(started) FILTER (WHERE side = 1) AS first_b,"
    "  count(DISTINCT campaign) FILTER (WHERE side = 0) AS of_a,"
    "  count(DISTINCT campaign) FILTER (WHERE side = 1) AS of_b,"
    "  count(DISTINCT campaign) FILTER (WHERE side = 0)"
    "   + count(DISTINCT campaign) FILTER (WHERE side = 1) - count(DISTINCT campaign) AS both,"
    "  count(DISTINCT launch) AS launches"
    "  FROM compared WHERE match IN (SELECT match FROM matched) GROUP BY match);";

/* What each launch says: the logarithm of its median; of points that go by campaign these, below 0,
 * with the mean of their launches. */
static const char apart_sql[] =
    "CREATE TEMP TABLE launched AS SELECT match, side, unit AS launch, avg(logarithm) AS logarithm,"
    " NULL AS effect FROM"
    " (SELECT v.match, v.side, iif(d.by_campaign, -c.campaign, v.launch) AS unit,"
    "   avg(ln(v.seconds)) AS logarithm FROM valued AS v JOIN compared AS c ON c.run = v.run"
    "  JOIN designed AS d ON d.match = v.match GROUP BY v.match, v.side, v.launch)"
    " GROUP BY match, side, unit;";

/* What contenders came to in each launch, over its reference: of the part that the heat compares,
 * and of another. */
static const char turn_sql[] = "CREATE TEMP TABLE turn (run INTEGER PRIMARY KEY, ratio REAL);"
                               "INSERT INTO turn SELECT run, ratio FROM launch_ratio"
                               " WHERE contender <> 'twin' AND run IN (SELECT run FROM valued);";
static const char part_turn_sql[] =
    "CREATE TEMP TABLE turn (run INTEGER PRIMARY KEY, ratio REAL);"
    "INSERT INTO turn SELECT v.run, iif(v.run = a.reference, 1.0,"
    "  json_extract(race_ratio(s.times, base.times, sample_part(v.part)), '$[1]'))"
    " FROM valued AS v JOIN raced AS a ON a.run = v.run"
    " JOIN sampled AS s ON s.run = v.run JOIN sampled AS base ON base.run = a.reference;";

/* The same of a launch that had both: the logarithms of both medians, and of the ratio. */
static const char raced_sql[] =
    "CREATE TEMP TABLE paired AS SELECT a.match, a.launch, avg(ln(a.seconds)) AS a_logarithm,"
    " avg(ln(b.seconds)) AS b_logarithm, avg(ln(mine.ratio / theirs.ratio)) AS effect"
    " FROM valued AS a JOIN valued AS b ON b.match = a.match AND b.launch = a.launch"
    "  AND b.heat = a.heat AND b.side = 1"
    " JOIN turn AS theirs ON theirs.run = a.run JOIN turn AS mine ON mine.run = b.run"
    " WHERE a.side = 0 AND theirs.ratio > 0 AND mine.ratio > 0 GROUP BY a.match, a.launch;"
    "CREATE TEMP TABLE launched AS SELECT match, 0 AS side, launch, a_logarithm AS logarithm,"
    " NULL AS effect FROM paired"
    " UNION ALL SELECT match, 1, launch, b_logarithm, effect FROM paired;";
/* What the references of the heats came to against themselves in each launch that is compared, of
 * the part that the heat compares, and of another; where nothing raced there is none. */
static const char twinned_sql[] =
    "CREATE TEMP TABLE twinned AS SELECT v.match, v.launch, avg(ln(t.ratio)) AS l"
    " FROM (SELECT DISTINCT match, launch, valued.heat, r.campaign, r.job FROM valued"
    "  JOIN run AS r ON r.id = valued.run WHERE match IN (SELECT match FROM launched)) AS v"
    " JOIN launch_ratio AS t ON t.contender = 'twin' AND t.heat = v.heat"
    "  AND t.campaign = v.campaign AND t.job = v.job GROUP BY v.match, v.launch;";
static const char part_twinned_sql[] =
    "CREATE TEMP TABLE twinned AS SELECT v.match, v.launch,"
    "  avg(ln(json_extract(race_ratio(t.times, base.times, sample_part(v.part)), '$[1]'))) AS l"
    " FROM (SELECT DISTINCT match, launch, part, a.reference FROM valued"
    "  JOIN raced AS a ON a.run = valued.run WHERE match IN (SELECT match FROM launched)) AS v"
    " JOIN twin AS t ON t.run = v.reference JOIN sampled AS base ON base.run = v.reference"
    " GROUP BY v.match, v.launch;";
static const char untwinned_sql[] =
    "CREATE TEMP TABLE twinned (match TEXT, launch INTEGER, l REAL);";
/* How far from 1 that is over the launches, as the view `control` has it; and in the mean over the
 * points, whose match is ''. */
static const char controlled_sql[] =
    "CREATE TEMP TABLE controlled AS SELECT match, abs(json_extract(e, '$[1]')) + json_extract(e, "
    "'$[3]') AS reach"
    " FROM (SELECT match, over_launches(l) AS e FROM twinned GROUP BY match"
    "  UNION ALL SELECT '', over_launches(l) FROM (SELECT avg(l) AS l FROM twinned GROUP BY "
    "launch));";
/* Points of one side alone, in words. */
static const char lone_sql[] =
    "SELECT side, name FROM (SELECT DISTINCT c.side, c.workload, c.ranks, i.place, c.contender,"
    " c.workload || ', ' || c.ranks || CASE c.ranks WHEN 1 THEN ' rank' ELSE ' ranks' END"
    " || coalesce(', ' || c.contender, '')"
    " || CASE i.described WHEN '' THEN '' ELSE ', ' || i.described END AS name"
    " FROM compared AS c JOIN instance AS i ON i.problem = c.problem AND i.workload = c.workload"
    " WHERE c.match NOT IN (SELECT match FROM matched))"
    " ORDER BY side, workload, ranks, place, contender, name";
/* One comparison under way. */
struct contrast_gathering {
    struct nuce_store *store;
    const struct nuce_contrast_choice *choice;
    struct nuce_contrast *out;
    int is_modelled;
    char *value; /* SQL: the time of the part called `part` of a run `r` */
};

/* Columns are from `classes`; what the user wrote is quoted by %Q. */
static nuce_status gather_runs(struct contrast_gathering *gathering, struct nuce_error *error)
{
    const struct nuce_side *a = gathering->out->sides[0], *b = gathering->out->sides[1];
    const char *column = classes[a->class].column, *campaign = gathering->choice->campaign;

    return nuce_store_execute_freed(
        gathering->store,
        sqlite3_mprintf(gather_sql, column, b->ids, classes[a->class].problem,
                        classes[a->class].match, classes[a->class].contender,
                        classes[a->class].point, classes[a->class].environment, a->key, a->key,
                        column, a->ids, b->ids, campaign, campaign),
        error);
}

/* A choice among the columns of a run, freed with sqlite3_free. Of what is modelled the prediction,
 * of communication, is the only time. All parts are named, as points of one comparison may be
 * compared by different ones. */
static char *value_sql(const struct contrast_gathering *gathering, struct nuce_error *error)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    char *sql;

    sqlite3_str_appendall(text, "CASE part");
    for (int i = 0; !gathering->is_modelled && nuce_record_sample_parts[i] != NULL; i++)
        sqlite3_str_appendf(text, " WHEN %Q THEN r.%s_s", nuce_record_sample_parts[i],
                            nuce_record_sample_parts[i]);
    if (gathering->is_modelled)
        sqlite3_str_appendall(text, " WHEN 'communication' THEN r.predicted_s");
    sqlite3_str_appendall(text, " END");
    sql = sqlite3_str_finish(text);
    if (sql == NULL)
        nuce_error_set(error, NUCE_FAILED, "out of memory");
    return sql;
}

/* The number that sql gives, which is freed here. sql comes from sqlite3_mprintf; NULL: it had no
 * memory. */
static nuce_status contrast_count(struct nuce_store *store, char *sql, int64_t *out,
                                  struct nuce_error *error)
{
    nuce_status status = sql == NULL ? nuce_error_set(error, NUCE_FAILED, "out of memory")
                                     : nuce_store_integer(store, sql, out, error);

    sqlite3_free(sql);
    return status;
}

/* Counts what is left out, then leaves it out. What is left are runs of one kind that ended well;
 * then instances are told apart, and points are matched. */
static nuce_status leave_out(struct contrast_gathering *gathering, struct nuce_error *error)
{
    static const char failed[] = "SELECT count(*) FROM compared WHERE kind = %Q"
                                 " AND status NOT IN ('ok', 'interrupted') AND side = %d";
    static const char interrupted[] = "SELECT count(*) FROM compared WHERE kind = %Q"
                                      " AND status = 'interrupted' AND side = %d";
    struct nuce_contrast *out = gathering->out;
    struct nuce_store *store = gathering->store;
    const char *kind = gathering->choice->kind, *part = gathering->choice->part;
    nuce_status status = contrast_count(
        store, sqlite3_mprintf("SELECT count(*) FROM compared WHERE kind <> %Q", kind),
        &out->other_kind, error);

    if (part == NULL && gathering->is_modelled)
        part = "communication";
    for (int side = 0; side < 2 && status == NUCE_OK; side++) {
        status =
            contrast_count(store, sqlite3_mprintf(failed, kind, side), &out->not_ok[side], error);
        if (status == NUCE_OK)
            status = contrast_count(store, sqlite3_mprintf(interrupted, kind, side),
                                    &out->interrupted[side], error);
    }
    if (status == NUCE_OK)
        status = nuce_store_execute_freed(store, sqlite3_mprintf(keep_sql, kind), error);
    if (status == NUCE_OK)
        status = nuce_instances_make(store, &out->keys, error);
    if (status == NUCE_OK)
        status = nuce_store_execute_freed(store, sqlite3_mprintf(match_sql, part, gathering->value),
                                          error);
    return status;
}

char *nuce_contrast_copy(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);

    return text == NULL ? NULL : nuce_text_duplicate(text);
}

/* Points of one side alone: they are named, so that nobody takes them for equal. */
static nuce_status read_lone(struct contrast_gathering *gathering, struct nuce_error *error)
{
    struct nuce_contrast *out = gathering->out;
    sqlite3_stmt *row = NULL;
    nuce_status status = nuce_store_prepare(gathering->store, lone_sql, &row, error);
    int code = SQLITE_DONE;

    while (status == NUCE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        void *data = out->lone;

        nuce_allocate_more(&data, &out->lone_capacity, out->lone_count + 1, sizeof *out->lone);
        out->lone = data;
        out->lone[out->lone_count].name = nuce_contrast_copy(row, 1);
        out->lone[out->lone_count++].side = sqlite3_column_int(row, 0);
    }
    if (status == NUCE_OK && code != SQLITE_DONE)
        status = nuce_store_fail(gathering->store, error);
    sqlite3_finalize(row);
    return status;
}

/* How the launches of the points lie; nothing is told of it where contenders raced, or where times
 * are exact. */
static nuce_status read_designs(struct contrast_gathering *gathering, struct nuce_error *error)
{
    struct nuce_store *store = gathering->store;
    nuce_status status = nuce_store_execute(store, designed_sql, error);

    if (status != NUCE_OK || gathering->out->design != NUCE_CONTRAST_APART)
        return status;
    status = nuce_store_integer(store, "SELECT coalesce(sum(drifts), 0) FROM designed",
                                &gathering->out->drifting, error);
    if (status == NUCE_OK)
        status = nuce_store_integer(store, "SELECT coalesce(min(by_campaign), 0) FROM designed",
                                    &gathering->out->by_campaign, error);
    return status;
}

/* Whose runs are compared, and how many of the launches had other work beside them. */
static nuce_status read_origin(struct contrast_gathering *gathering, struct nuce_error *error)
{
    static const char sql[] =
        "WITH launches AS (SELECT DISTINCT r.campaign, r.job, c.side FROM compared AS c"
        "  JOIN run AS r ON r.id = c.run WHERE c.match IN (SELECT match FROM matched))"
        " SELECT (SELECT group_concat(campaign, ', ') FROM"
        "  (SELECT DISTINCT campaign FROM launches ORDER BY campaign)),"
        " count(DISTINCT l.campaign), total(side = 0), total(side = 1),"
        " total(side = 0 AND d.busy), total(side = 1 AND d.busy) FROM launches AS l"
        " JOIN disturbed AS d ON d.campaign = l.campaign AND d.id = l.job";
    struct nuce_contrast *out = gathering->out;
    sqlite3_stmt *row = NULL;
    nuce_status status = nuce_store_prepare(gathering->store, sql, &row, error);

    if (status == NUCE_OK && sqlite3_step(row) != SQLITE_ROW)
        status = nuce_store_fail(gathering->store, error);
    if (status == NUCE_OK) {
        out->campaigns = nuce_contrast_copy(row, 0);
        out->campaign_count = sqlite3_column_int64(row, 1);
        for (int side = 0; side < 2; side++) {
            out->jobs[side] = sqlite3_column_int64(row, 2 + side);
            out->busy[side] = sqlite3_column_int64(row, 4 + side);
        }
    }
    sqlite3_finalize(row);
    return status;
}

/* What each launch says of the points that both sides have. `turn` and `paired` serve contenders
 * that raced; the others' launches are their own. `turn` has to be there before `paired` is made of
 * it. */
static nuce_status read_launches(struct contrast_gathering *gathering, struct nuce_error *error)
{
    static const char lost_sql[] = "SELECT count(*) FROM matched WHERE untimed = 0"
                                   " AND match NOT IN (SELECT match FROM launched)";
    struct nuce_store *store = gathering->store;
    struct nuce_contrast *out = gathering->out;
    int is_raced = out->design == NUCE_CONTRAST_RACED;
    nuce_status status = nuce_store_integer(store, "SELECT count(*) FROM matched WHERE untimed = 1",
                                            &out->untimed, error);

    if (status == NUCE_OK && is_raced)
        status = nuce_store_execute(
            store, gathering->choice->part == NULL ? turn_sql : part_turn_sql, error);
    if (status == NUCE_OK)
        status = nuce_store_execute(store, is_raced ? raced_sql : apart_sql, error);
    if (status == NUCE_OK)
        status = nuce_store_integer(store, lost_sql, &out->unraced, error);
    return status;
}

/* What the references of heats came to against themselves, of the part that is compared: between
 * which ratios, and how far from 1 in the mean over the points. */
static nuce_status read_control(struct contrast_gathering *gathering, struct nuce_error *error)
{
    static const char sql[] = "SELECT coalesce(min(control), 0), coalesce(max(control), 0),"
                              " (SELECT reach FROM controlled WHERE match = '')"
                              " FROM (SELECT exp(avg(l)) AS control FROM twinned GROUP BY match)";
    int is_raced = gathering->out->design == NUCE_CONTRAST_RACED;
    const char *twinned = gathering->choice->part == NULL ? twinned_sql : part_twinned_sql;
    sqlite3_stmt *row = NULL;
    nuce_status status =
        nuce_store_execute(gathering->store, is_raced ? twinned : untwinned_sql, error);

    if (status == NUCE_OK)
        status = nuce_store_execute(gathering->store, controlled_sql, error);
    if (status == NUCE_OK)
        status = nuce_store_prepare(gathering->store, sql, &row, error);
    if (status == NUCE_OK && sqlite3_step(row) != SQLITE_ROW)
        status = nuce_store_fail(gathering->store, error);
    if (status == NUCE_OK) {
        gathering->out->control_low = sqlite3_column_double(row, 0);
        gathering->out->control_high = sqlite3_column_double(row, 1);
        gathering->out->control_reach = sqlite3_column_double(row, 2);
    }
    sqlite3_finalize(row);
    return status;
}

/* An answer from no runs would look like one without any in common. */
nuce_status nuce_contrast_require_campaign(struct nuce_store *store, const char *campaign,
                                           struct nuce_error *error)
{
    int64_t count = 1;
    nuce_status status = NUCE_OK;

    if (campaign != NULL)
        status = contrast_count(
            store, sqlite3_mprintf("SELECT count(*) FROM campaign WHERE id = %Q", campaign), &count,
            error);
    if (status == NUCE_OK && count == 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "--campaign: '%s' is not in %s: see 'nuce show campaigns'",
                                campaign, store->path);
    return status;
}

/* Ways to start ranks are of launches of their own, on one machine: of one campaign, and of no
 * launch that had both. */
static nuce_status contrast_check_ways(struct contrast_gathering *gathering,
                                       struct nuce_error *error)
{
    static const char both_sql[] = "SELECT count(*) FROM (SELECT launch FROM compared"
                                   " GROUP BY launch HAVING count(DISTINCT side) = 2)";
    static const char several_sql[] =
        "SELECT count(DISTINCT campaign) FROM run WHERE id IN (SELECT run FROM compared)";
    const struct nuce_side *a = gathering->out->sides[0], *b = gathering->out->sides[1];
    int64_t both = 0, several = 0;
    nuce_status status = nuce_store_integer(gathering->store, both_sql, &both, error);

    if (status == NUCE_OK)
        status = nuce_store_integer(gathering->store, several_sql, &several, error);
    if (status == NUCE_OK && both > 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s and %s: both ran in one launch: expected a way to start ranks, "
                                "such as mpi=openmpi",
                                a->name, b->name);
    if (status == NUCE_OK && several > 1)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s and %s: runs of %lld campaigns have them, maybe of several "
                                "machines: expected --campaign NAME ('nuce show campaigns')",
                                a->name, b->name, (long long)several);
    return status;
}

/* Order: runs; what is left out of them; points of one side; and only then, of the points that both
 * have, where they come from and what their launches say. */
nuce_status nuce_contrast_gather(struct nuce_store *store,
                                 const struct nuce_contrast_choice *choice,
                                 struct nuce_contrast *out, struct nuce_error *error)
{
    struct contrast_gathering gathering = {.store = store,
                                           .choice = choice,
                                           .out = out,
                                           .is_modelled = strcmp(choice->kind, "modelled") == 0};
    nuce_status status;

    gathering.value = value_sql(&gathering, error);
    status = gathering.value == NULL
                 ? error->status
                 : nuce_contrast_require_campaign(store, choice->campaign, error);
    if (status == NUCE_OK)
        status = gather_runs(&gathering, error);
    if (status == NUCE_OK && out->sides[0]->class == NUCE_SIDE_WAY)
        status = contrast_check_ways(&gathering, error);
    if (status == NUCE_OK)
        status = leave_out(&gathering, error);
    if (status == NUCE_OK)
        status = read_lone(&gathering, error);
    if (status == NUCE_OK)
        status = read_designs(&gathering, error);
    if (status == NUCE_OK)
        status = read_origin(&gathering, error);
    if (status == NUCE_OK)
        status = read_launches(&gathering, error);
    if (status == NUCE_OK)
        status = read_control(&gathering, error);
    sqlite3_free(gathering.value);
    return status;
}
