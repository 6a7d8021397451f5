/* The rows of a run record: run, point, launch, samples, and the lists that few records have.
 *
 * json_each takes the line apart (nuce_rows_take_apart). Each member is bound unchanged to the
 * parameter of the statement that inserts it, and the digits of samples are read once (times.c).
 * A run of the common kind is checked on the way. Any other line is read as JSON and checked by
 * nuce_record_check_run (collect.c), which has the messages.
 *
 * Then nuce_rows_add_run inserts the parents of the run, the run, its samples, and its lists.
 * Foreign keys are checked at once, so nothing can be stored before its parent. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "db/collect_rows.h"

/* Lists of a record, and the tables of their rows. A row of numbers has them in the order of the
 * table's columns after `run`; a null or missing number is NULL. */
static const struct {
    const char *key, *table;
    int columns;
    const char *sql; /* set for other rows: columns is then 0 */
} lists[NUCE_LISTS] = {
    {"links", "link", 6, NULL},
    {"ports", "port", 3, NULL},
    {"contention", "contention", 4, NULL},
    {"rectangles", "rectangle", 5, NULL},
    {"speeds", "speed", 4, NULL},
    {"switches", "network_switch", 4, NULL},
    {"switch_links", "switch_link", 2, NULL},
    {"placed", "placed", 4, NULL},
    {"counters", "counter", 0,
     "SELECT ?1, json_extract(value, '$.part'), json_extract(value, '$.event'),"
     " json_extract(value, '$.value') FROM json_each(?2)"},
    {"per_rank", "rank_sample", 0,
     "SELECT ?1, s.key, r.key, r.value FROM json_each(?2) AS s, json_each(s.value) AS r"},
#define EVENTS                                                                                     \
    "SELECT ?1, rank, row_number() OVER (PARTITION BY rank ORDER BY key) - 1,"                     \
    " json_extract(value, '$[2]'), json_extract(value, '$[1]'), json_extract(value, '$[3]'),"      \
    " json_extract(value, '$[4]'), json_extract(value, '$[5]'), json_extract(value, '$[6]')"       \
    " FROM (SELECT key, value, json_extract(value, '$[0]') AS rank FROM json_each(?2))"
    {"events", "event", 0, EVENTS},
    {"planned", "planned_event", 0, EVENTS},
};

/* Other facts of the run before it is stored: its parents, and its race and launch. */
static const char *const head[] = {"point", "workload",   "ranks", "params", "campaign",  "job",
                                   "race",  "order_seed", "kind",  "status", "criterion", NULL};

/* Parameters of NUCE_INSERT_RUN: 1 to 3 are id, hash and file; then the fields, found,
 * others_cpus, the number of samples, and the median of each part. */
enum { FIELDS_PARAMETER = 4 };

/* The number of fields. */
static int field_count(void)
{
    int count = 0;

    while (nuce_record_fields[count].name != NULL)
        count++;
    return count;
}

/* The texts are built as SQLite strings, so a new field or part is a row of its list (record.c)
 * and a column of the schema. The tables of events have their columns in the order of their
 * statements. */
nuce_status nuce_rows_init_run(struct nuce_rows *rows, struct nuce_error *error)
{
    int fields = field_count(), found = FIELDS_PARAMETER + fields;
    nuce_status status = NUCE_OK;

    for (int i = NUCE_TAKE_APART; status == NUCE_OK && i < NUCE_INSERTS; i++) {
        sqlite3_str *sql = sqlite3_str_new(rows->store->handle);
        char *text;

        if (i == NUCE_TAKE_PARTS) {
            sqlite3_str_appendall(sql, "SELECT json_extract(?1, '$.place')");
            for (int k = 0; k < NUCE_SAMPLE_PARTS; k++)
                sqlite3_str_appendf(sql, ", json_extract(?1, '$.%s')", nuce_record_sample_parts[k]);
        } else if (i == NUCE_INSERT_RUN) {
            sqlite3_str_appendall(sql,
                                  "INSERT INTO run (id, hash, file, metrics, others_cpus, samples");
            for (int k = 0; k < fields; k++)
                sqlite3_str_appendf(sql, ", %s", nuce_record_fields[k].name);
            for (int k = 0; k < NUCE_SAMPLE_PARTS; k++)
                sqlite3_str_appendf(sql, ", %s_s", nuce_record_sample_parts[k]);
            sqlite3_str_appendf(sql, ") VALUES (?1, ?2, ?3, ?%d, ?%d, ?%d", found, found + 1,
                                found + 2);
            for (int k = 0; k < fields; k++)
                sqlite3_str_appendf(sql, ", ?%d", FIELDS_PARAMETER + k);
            for (int k = 0; k < NUCE_SAMPLE_PARTS; k++)
                sqlite3_str_appendf(sql, ", ?%d", found + 3 + k);
            sqlite3_str_appendall(sql, ")");
        } else if (i >= NUCE_INSERT_LISTS) {
            int list = i - NUCE_INSERT_LISTS;

            sqlite3_str_appendf(sql, "INSERT INTO %s %s", lists[list].table,
                                lists[list].sql != NULL ? lists[list].sql : "SELECT ?1");
            for (int k = 0; k < lists[list].columns; k++)
                sqlite3_str_appendf(sql, ", json_extract(value, '$[%d]')", k);
            if (lists[list].sql == NULL)
                sqlite3_str_appendall(sql, " FROM json_each(?2)");
        } else {
            sqlite3_str_appendall(sql, "SELECT key, type, value FROM json_each(?1)");
        }
        text = sqlite3_str_finish(sql);
        status = nuce_store_prepare(rows->store, text, &rows->statements[i], error);
        sqlite3_free(text);
    }
    return status;
}

/* The number of places in the JSON text, an array of whole numbers; -1: it is something else. */
static int64_t count_places(const char *text)
{
    int64_t count = 0;

    if (text == NULL || text[0] != '[')
        return -1;
    if (strcmp(text, "[]") == 0)
        return 0;
    do {
        size_t digits = strspn(++text, "0123456789");

        if (digits == 0 || digits > 18)
            return -1;
        text += digits;
        count++;
    } while (*text == ',');
    return strcmp(text, "]") == 0 ? count : -1;
}

/* Reads an object of samples, and binds them and its places to the statement that inserts them.
 * Returns nonzero if it is valid, without other or repeated members: its text is then no longer
 * than the members found. */
static int take_samples(struct nuce_rows *rows, sqlite3_stmt *apart, enum nuce_insert which,
                        struct nuce_times *out)
{
    sqlite3_stmt *parts = rows->statements[NUCE_TAKE_PARTS];
    sqlite3_stmt *insert = rows->statements[which];
    const char *texts[NUCE_SAMPLE_PARTS], *places;
    size_t length = 1;
    int is_good = 0;

    nuce_times_fini(out);
    if (strcmp((const char *)sqlite3_column_text(apart, 1), "object") != 0)
        return 0;
    sqlite3_bind_text(parts, 1, (const char *)sqlite3_column_text(apart, 2), -1, SQLITE_STATIC);
    if (sqlite3_step(parts) == SQLITE_ROW) {
        for (int i = 0; i < NUCE_SAMPLE_PARTS; i++) {
            texts[i] = (const char *)sqlite3_column_text(parts, i + 1);
            if (texts[i] != NULL)
                length += strlen(nuce_record_sample_parts[i]) + strlen("'':,") + strlen(texts[i]);
        }
        places = (const char *)sqlite3_column_text(parts, 0);
        is_good = nuce_times_read(texts, out);
        sqlite3_bind_text(insert, 2, out->times, -1, SQLITE_STATIC);
        if (which == NUCE_INSERT_DUPLICATE) {
            sqlite3_bind_value(insert, 3, sqlite3_column_value(parts, 0));
            is_good &= count_places(places) == out->count;
            length += places != NULL ? strlen("'place':,") + strlen(places) : 0;
        }
        is_good &= length == (size_t)sqlite3_column_bytes(apart, 2);
    }
    sqlite3_reset(parts);
    return is_good;
}

/* Keeps the member for the run's parents, if it is one of these. */
static void take_head(struct nuce_rows *rows, const char *key, sqlite3_stmt *apart)
{
    const char *type = (const char *)sqlite3_column_text(apart, 1), *text;
    const char *const *known = head;
    json_t *value = NULL;

    while (*known != NULL && strcmp(*known, key) != 0)
        known++;
    if (*known == NULL)
        return;
    text = (const char *)sqlite3_column_text(apart, 2);
    if (strcmp(type, "text") == 0)
        value = json_string(text);
    else if (strcmp(type, "integer") == 0 && sqlite3_column_type(apart, 2) == SQLITE_INTEGER)
        value = json_integer(sqlite3_column_int64(apart, 2));
    else if (strcmp(type, "object") == 0)
        value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_object_set_new(rows->head, key, value);
}

/* Binds a field of the run. Returns nonzero if it has its type, or is a permitted null. */
static int take_field(struct nuce_rows *rows, int number, sqlite3_stmt *apart)
{
    const struct nuce_record_field *field = &nuce_record_fields[number];
    sqlite3_stmt *insert = rows->statements[NUCE_INSERT_RUN];
    sqlite3_value *value = sqlite3_column_value(apart, 2);
    const char *type = (const char *)sqlite3_column_text(apart, 1);

    sqlite3_bind_value(insert, FIELDS_PARAMETER + number, value);
    switch (sqlite3_value_type(value)) {
    case SQLITE_NULL:
        return !field->required;
    case SQLITE_INTEGER: /* true and false are integers as well */
        return field->type != NUCE_FIELD_TEXT && strcmp(type, "integer") == 0;
    case SQLITE_FLOAT:
        return field->type == NUCE_FIELD_REAL && strcmp(type, "real") == 0 &&
               isfinite(sqlite3_value_double(value));
    default:
        return field->type == NUCE_FIELD_TEXT && strcmp(type, "text") == 0;
    }
}

/* Returns nonzero if found is as in record.h, with the sorted keys that nuce writes. Binds the
 * values that the table repeats; a value that is not a number is ignored, and its column stays
 * NULL. */
static int take_all_found(struct nuce_rows *rows, const char *text)
{
    sqlite3_stmt *found = rows->statements[NUCE_TAKE_FOUND];
    char *last = NULL;
    int is_good = 1, code;

    sqlite3_bind_text(found, 1, text, -1, SQLITE_STATIC);
    while ((code = sqlite3_step(found)) == SQLITE_ROW) {
        const char *key = (const char *)sqlite3_column_text(found, 0);
        const char *type = (const char *)sqlite3_column_text(found, 1);
        int is_number = sqlite3_column_type(found, 2) == SQLITE_INTEGER ||
                        (strcmp(type, "real") == 0 && isfinite(sqlite3_column_double(found, 2)));

        is_number &= strcmp(type, "true") != 0 && strcmp(type, "false") != 0;
        is_good &= (is_number || strcmp(type, "text") == 0 || strcmp(type, "null") == 0) &&
                   (last == NULL || (key != NULL && strcmp(last, key) < 0));
        if (key != NULL && is_number && strcmp(key, "others_cpus") == 0)
            sqlite3_bind_value(rows->statements[NUCE_INSERT_RUN],
                               FIELDS_PARAMETER + field_count() + 1,
                               sqlite3_column_value(found, 2));
        free(last);
        last = key == NULL ? NULL : strdup(key);
    }
    free(last);
    sqlite3_reset(found);
    return is_good && code == SQLITE_DONE;
}

/* Members that are neither fields nor lists. Members that take_head keeps are checked when all
 * are known; the checksum has been checked. */
enum { RECORD, VERSION, SAMPLES, DUPLICATE, METRICS, PLACE, OTHERS = 10 };
static const char *const others[OTHERS] = {[RECORD] = "record",
                                           [VERSION] = "version",
                                           [SAMPLES] = "samples",
                                           [DUPLICATE] = "duplicate",
                                           [METRICS] = "metrics",
                                           [PLACE] = "place",
                                           "workload",
                                           "ranks",
                                           "params",
                                           "sum"};

/* Takes one of these. Returns nonzero if a run of the common kind has it in this form. */
static int take_other(struct nuce_rows *rows, int other, sqlite3_stmt *apart)
{
    const char *type = (const char *)sqlite3_column_text(apart, 1);
    const char *text = (const char *)sqlite3_column_text(apart, 2);

    switch (other) {
    case RECORD:
        return strcmp(type, "text") == 0 && strcmp(text, "run") == 0;
    case VERSION:
        return strcmp(type, "integer") == 0 &&
               sqlite3_column_int64(apart, 2) == NUCE_RECORD_VERSION;
    case SAMPLES:
        return take_samples(rows, apart, NUCE_INSERT_SAMPLES, &rows->samples);
    case DUPLICATE:
        return take_samples(rows, apart, NUCE_INSERT_DUPLICATE, &rows->duplicate);
    case METRICS:
        sqlite3_bind_value(rows->statements[NUCE_INSERT_RUN], FIELDS_PARAMETER + field_count(),
                           sqlite3_column_value(apart, 2));
        return strcmp(type, "object") == 0 && take_all_found(rows, text);
    case PLACE:
        sqlite3_bind_value(rows->statements[NUCE_INSERT_SAMPLES], 3,
                           sqlite3_column_value(apart, 2));
        rows->places = count_places(text);
        return rows->places >= 0;
    default:
        return 1;
    }
}

/* Notes that the line has the member. Returns nonzero if it is the first time. */
static int see(uint64_t *seen, int bit)
{
    int is_first = !(*seen >> bit & 1);

    *seen |= (uint64_t)1 << bit;
    return is_first;
}

/* Takes one member of the line. Returns nonzero if a run of the common kind has it in this form. */
static int take_member(struct nuce_rows *rows, sqlite3_stmt *apart)
{
    const char *key = (const char *)sqlite3_column_text(apart, 0);

    if (key == NULL) /* the line is not an object */
        return 0;
    take_head(rows, key, apart);
    for (int i = 0; nuce_record_fields[i].name != NULL; i++) {
        if (strcmp(nuce_record_fields[i].name, key) == 0)
            return take_field(rows, i, apart) && see(&rows->fields, i);
    }
    for (int i = 0; i < OTHERS; i++) {
        if (strcmp(others[i], key) == 0)
            return see(&rows->others, i) && take_other(rows, i, apart);
    }
    for (int i = 0; i < NUCE_LISTS; i++) {
        if (strcmp(lists[i].key, key) == 0) {
            see(&rows->lists, i);
            sqlite3_bind_value(rows->statements[NUCE_INSERT_LISTS + i], 2,
                               sqlite3_column_value(apart, 2));
        }
    }
    return 0;
}

/* True if the line has that one of the others. */
static int has(const struct nuce_rows *rows, int other)
{
    return (int)(rows->others >> other & 1);
}

/* True if SQLite's reader of JSON and jansson surely read the characters as the same text. */
static int is_plain(const char *text, size_t length)
{
    int odd = 0;

    for (size_t i = 0; i < length; i++)
        odd |= (unsigned char)text[i] - 0x20U >= 0x60 || text[i] == '\\';
    return !odd;
}

/* True if the head's member of that name is that text. */
static int is_text(const struct nuce_rows *rows, const char *key, const char *expected)
{
    const char *text = json_string_value(json_object_get(rows->head, key));

    return text != NULL && strcmp(text, expected) == 0;
}

int nuce_rows_take_apart(struct nuce_rows *rows, const char *text, size_t length)
{
    sqlite3_stmt *apart = rows->statements[NUCE_TAKE_APART];
    int is_common = is_plain(text, length), code;

    sqlite3_clear_bindings(rows->statements[NUCE_INSERT_RUN]);
    sqlite3_clear_bindings(rows->statements[NUCE_INSERT_SAMPLES]);
    json_decref(rows->head);
    rows->head = json_object();
    rows->fields = rows->others = rows->lists = 0;
    rows->places = -1;
    sqlite3_bind_text64(apart, 1, text, length, SQLITE_STATIC, SQLITE_UTF8);
    while ((code = sqlite3_step(apart)) == SQLITE_ROW)
        is_common &= take_member(rows, apart);
    sqlite3_reset(apart);
    for (int i = 0; nuce_record_fields[i].name != NULL; i++)
        is_common &= rows->fields >> i & 1 || !nuce_record_fields[i].required;
    return code == SQLITE_DONE && is_common && has(rows, RECORD) && has(rows, VERSION) &&
           has(rows, SAMPLES) && (rows->places < 0 || rows->places == rows->samples.count) &&
           is_text(rows, "kind", "measured") && is_text(rows, "status", "ok") &&
           json_is_string(json_object_get(rows->head, "race")) &&
           json_is_string(json_object_get(rows->head, "workload")) &&
           json_is_integer(json_object_get(rows->head, "ranks")) &&
           json_is_object(json_object_get(rows->head, "params"));
}

/* The first 63 bits of the hash: the same run has the same id in every database, and SQLite's
 * rowids are 64 bits with a sign. Among a million runs, two share an id with a probability of
 * 5e-8; the second would break a constraint and be reported. */
static int64_t run_id(const char *hash)
{
    char digits[17];

    memcpy(digits, hash, 16);
    digits[16] = '\0';
    return (int64_t)(strtoull(digits, NULL, 16) >> 1);
}

/* Adds the run's parents, its point and its launch, and marks the point to be summed up again. */
static nuce_status add_parents(struct nuce_rows *rows, struct nuce_error *error)
{
    const json_t *campaign = json_object_get(rows->head, "campaign");
    const json_t *job = json_object_get(rows->head, "job");
    const json_t *point = json_object_get(rows->head, "point");
    int64_t ranks = json_integer_value(json_object_get(rows->head, "ranks"));
    char *params = json_dumps(json_object_get(rows->head, "params"), JSON_COMPACT | JSON_SORT_KEYS);
    int is_known = 0;

    nuce_rows_run(rows, NUCE_FIND_JOB, &is_known, error, "jj", job, campaign);
    if (error->status == NUCE_OK && !is_known &&
        nuce_rows_run(rows, NUCE_INSERT_CAMPAIGN, NULL, error, "j", campaign) == NUCE_OK)
        nuce_rows_run(rows, NUCE_INSERT_JOB, NULL, error, "jjt", job, campaign, rows->unknown);
    if (error->status == NUCE_OK &&
        nuce_rows_run(rows, NUCE_INSERT_POINT, NULL, error, "jjit", point,
                      json_object_get(rows->head, "workload"), ranks, params) == NUCE_OK)
        nuce_rows_run(rows, NUCE_TOUCH_POINT, NULL, error, "j", point);
    free(params);
    return error->status;
}

/* A launch has one reference in a race: with two, its ratios would be ambiguous. Job and seed
 * identify the launch (raced.sql). */
static nuce_status check_reference(struct nuce_rows *rows, struct nuce_error *error)
{
    const json_t *job = json_object_get(rows->head, "job");
    int64_t seed = json_integer_value(json_object_get(rows->head, "order_seed"));
    int found = 0;

    if (!is_text(rows, "status", "ok"))
        return NUCE_OK;
    if (nuce_rows_run(rows, NUCE_FIND_REFERENCE, &found, error, "jjjji",
                      json_object_get(rows->head, "campaign"), job,
                      json_object_get(rows->head, "race"), json_object_get(rows->head, "criterion"),
                      seed) != NUCE_OK)
        return error->status;
    if (found)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "run record: a second 'duplicate' in a launch of its race: job '%s' with "
            "'order_seed' %lld has one",
            json_string_value(job), (long long)seed);
    return NUCE_OK;
}

/* The row of `run` has its fields and found bound already. A run without samples (lost or
 * modelled) has no row in `sampled`. */
nuce_status nuce_rows_add_run(struct nuce_rows *rows, const char *hash, const char *file,
                              struct nuce_error *error)
{
    sqlite3_stmt *insert = rows->statements[NUCE_INSERT_RUN];
    int64_t run = run_id(hash);
    int found = FIELDS_PARAMETER + field_count();

    if (!has(rows, SAMPLES) || rows->samples.times == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "run record without 'samples' of the step");
    if (nuce_record_check_point(rows->head, error) != NUCE_OK ||
        (has(rows, DUPLICATE) && check_reference(rows, error) != NUCE_OK) ||
        add_parents(rows, error) != NUCE_OK)
        return error->status;
    if (!has(rows, METRICS))
        sqlite3_bind_text(insert, found, "{}", -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, found + 2, rows->samples.count);
    /* SQLite stores NaN, a part that the run lacks, as NULL. */
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        sqlite3_bind_double(insert, found + 3 + i, rows->samples.medians[i]);
    if (nuce_rows_run(rows, NUCE_INSERT_RUN, NULL, error, "itt", run, hash, file) != NUCE_OK ||
        (rows->samples.count > 0 &&
         nuce_rows_run(rows, NUCE_INSERT_SAMPLES, NULL, error, "i", run) != NUCE_OK) ||
        (has(rows, DUPLICATE) && rows->duplicate.count > 0 &&
         nuce_rows_run(rows, NUCE_INSERT_DUPLICATE, NULL, error, "i", run) != NUCE_OK))
        return error->status;
    for (int i = 0; i < NUCE_LISTS; i++) {
        if ((rows->lists >> i & 1) &&
            nuce_rows_run(rows, NUCE_INSERT_LISTS + i, NULL, error, "i", run) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Found by the hash of the line, so that a record copied to another file is the same run. */
nuce_status nuce_rows_find_run(struct nuce_rows *rows, const char *hash, const char *file,
                               int *found, struct nuce_error *error)
{
    if (nuce_rows_run(rows, NUCE_FIND_RUN, found, error, "it", run_id(hash), hash) != NUCE_OK ||
        !*found)
        return error->status;
    return nuce_rows_run(rows, NUCE_MOVE_RUN, NULL, error, "it", run_id(hash), file);
}
