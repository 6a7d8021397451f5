/* The content of records and its checks, in one place for their writers and readers.
 *
 * Checks go from the outside in, and the first failure is reported with the name of the field. A
 * record may come from a damaged file, from another version or from an editor. Its later readers
 * (the database's loader, the printers of results) rely on these checks. Cost: one pass over the
 * record, which is nearly all samples. */
#include "base/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/known_variables.h"
#include "base/option.h"

const struct nuce_record_field nuce_record_fields[] = {
    {"point", NUCE_FIELD_TEXT, 1, "SHA-256 of the point's canonical form"},
    {"campaign", NUCE_FIELD_TEXT, 1, "the campaign that asked for the run"},
    {"job", NUCE_FIELD_TEXT, 1, "the job, or launch, that it ran in"},
    {"kind", NUCE_FIELD_TEXT, 1, "measured, simulated or modelled"},
    {"status", NUCE_FIELD_TEXT, 1, "ok, failed, corrupt, timeout or interrupted"},
    {"message", NUCE_FIELD_TEXT, 0, "reason why the status is not ok"},
    {"started", NUCE_FIELD_TEXT, 1, "time of day, UTC"},
    {"wall_s", NUCE_FIELD_REAL, 0, "duration, with set-up and its share of the race's rounds"},
    {"stopped", NUCE_FIELD_TEXT, 0,
     "reason why sampling ended: target-ci, max-samples or time-limit; for programs, why their "
     "race ended: launches, known, budget, most-launches, or open (it went on)"},
    {"min_samples", NUCE_FIELD_INTEGER, 0, "samples wanted at least"},
    {"race", NUCE_FIELD_TEXT, 0, "SHA-256 of the instance that all contenders of the race share"},
    {"compared", NUCE_FIELD_TEXT, 0,
     "parameters that its race compares, a JSON array; null: the workload's own, with its tuning"},
    {"order_seed", NUCE_FIELD_INTEGER, 0, "seed of the order of the race's rounds"},
    {"criterion", NUCE_FIELD_TEXT, 0, "the part of a step by which contenders are compared"},
    {"sync", NUCE_FIELD_TEXT, 0, "synchronisation of the start of a turn: barrier or window"},
    {"batch", NUCE_FIELD_INTEGER, 0, "steps of a turn; the time of the turn was divided by it"},
    {"late_rounds", NUCE_FIELD_INTEGER, 0,
     "rounds that did not count because a rank was not ready in its window"},
    {"skew_s", NUCE_FIELD_REAL, 0,
     "delay of the last rank's start after the common start: median over the race's turns"},
    {"skew_high_s", NUCE_FIELD_REAL, 0, "the same, 95 % quantile"},
    {"sync_residual_s", NUCE_FIELD_REAL, 0,
     "offset of the ranks' clocks after the rounds; 0 if they share one"},
    {"sync_error_s", NUCE_FIELD_REAL, 0, "uncertainty of that offset: half of the round trips"},
    {"too_short", NUCE_FIELD_INTEGER, 0,
     "1 if a turn took no longer than the uncertainty of its start: no result"},
    {"wait", NUCE_FIELD_TEXT, 0, "wait policy: spin, yield or sleep"},
    {"oversubscribed", NUCE_FIELD_INTEGER, 0, "1 if a node had more ranks than usable processors"},
    {NULL, NUCE_FIELD_TEXT, 0, NULL},
};

const char *const nuce_record_sample_parts[] = {
    "step", "pack", "communication", "unpack", "computation", "rebalance", "move", "own", NULL};

const char *const nuce_record_statuses[] = {"ok",      "failed",      "corrupt",
                                            "timeout", "interrupted", NULL};

json_t *nuce_record_create(const char *kind, const char *job, struct nuce_error *error)
{
    json_t *record =
        json_pack("{s:s, s:i, s:s}", "record", kind, "version", NUCE_RECORD_VERSION, "job", job);

    if (record == NULL)
        nuce_error_set(error, NUCE_FAILED, "out of memory for a record");
    return record;
}

/* A whole number is a valid real: some writers of JSON print 1.0 as 1. */
static int has_type(const json_t *value, enum nuce_field_type type)
{
    switch (type) {
    case NUCE_FIELD_TEXT:
        return json_is_string(value);
    case NUCE_FIELD_INTEGER:
        return json_is_integer(value);
    case NUCE_FIELD_REAL:
        break;
    }
    return json_is_number(value);
}

/* Fields that are no column (record.h lists them after the columns) are not checked here. */
static nuce_status check_fields(const json_t *record, struct nuce_error *error)
{
    static const char *const types[] = {"a text", "an integer", "a number"};

    for (const struct nuce_record_field *field = nuce_record_fields; field->name != NULL; field++) {
        const json_t *value = json_object_get(record, field->name);

        if (value == NULL || json_is_null(value)) {
            if (field->required)
                return nuce_error_set(error, NUCE_BAD_INPUT, "run record without '%s'",
                                      field->name);
        } else if (!has_type(value, field->type)) {
            return nuce_error_set(error, NUCE_BAD_INPUT, "run record: '%s' is not %s", field->name,
                                  types[field->type]);
        }
    }
    return NUCE_OK;
}

/* Flat, so that the database can name its values. */
static nuce_status check_found(const json_t *record, struct nuce_error *error)
{
    json_t *found = json_object_get(record, "metrics");
    const char *name;
    json_t *value;

    if (found != NULL && !json_is_object(found))
        return nuce_error_set(error, NUCE_BAD_INPUT, "run record: 'metrics' is not an object");
    json_object_foreach(found, name, value)
    {
        if (!json_is_string(value) && !json_is_null(value) &&
            !(json_is_number(value) && isfinite(json_number_value(value))))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "run record: '%s' of 'metrics' is neither a number nor a text",
                                  name);
    }
    return NUCE_OK;
}

/* The text that check_fields has found under key is one of names. */
static nuce_status check_one_of(const json_t *record, const char *key, const char *const *names,
                                struct nuce_error *error)
{
    const char *text = json_string_value(json_object_get(record, key));

    for (; *names != NULL; names++) {
        if (strcmp(*names, text) == 0)
            return NUCE_OK;
    }
    return nuce_error_set(error, NUCE_BAD_INPUT, "run record: unknown %s '%s'", key, text);
}

/* Times are never negative: a clock that went backwards must not get into a median. */
static nuce_status check_seconds(const char *part, const json_t *values, struct nuce_error *error)
{
    size_t index;
    const json_t *value;

    json_array_foreach(values, index, value)
    {
        double seconds = json_number_value(value);

        if (!json_is_number(value) || !(seconds >= 0) || !isfinite(seconds))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "run record: sample %zu of '%s' is not a time", index, part);
    }
    return NUCE_OK;
}

/* The parts in object, the record's `name`, are arrays of one length, the step's; places, unless
 * NULL, has a place for each. */
static nuce_status check_parts(const char *name, const json_t *object, const json_t *places,
                               struct nuce_error *error)
{
    const json_t *step = json_object_get(object, "step"), *place;
    size_t index;

    if (!json_is_object(object) || !json_is_array(step))
        return nuce_error_set(error, NUCE_BAD_INPUT, "run record without '%s' of the step", name);
    for (int i = 0; nuce_record_sample_parts[i] != NULL; i++) {
        const json_t *values = json_object_get(object, nuce_record_sample_parts[i]);

        if (values == NULL || json_is_null(values))
            continue;
        if (!json_is_array(values) || json_array_size(values) != json_array_size(step))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "run record: %s: '%s' and 'step' differ in number", name,
                                  nuce_record_sample_parts[i]);
        if (check_seconds(nuce_record_sample_parts[i], values, error) != NUCE_OK)
            return error->status;
    }
    if (places != NULL &&
        (!json_is_array(places) || json_array_size(places) != json_array_size(step)))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "run record: 'place' and 'step' differ in number");
    json_array_foreach(places, index, place)
    {
        if (!json_is_integer(place) || json_integer_value(place) < 0)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "run record: entry %zu of 'place' is not a place", index);
    }
    return NUCE_OK;
}

static nuce_status check_samples(const json_t *record, struct nuce_error *error)
{
    const json_t *duplicate = json_object_get(record, "duplicate");
    nuce_status status = check_parts("samples", json_object_get(record, "samples"),
                                     json_object_get(record, "place"), error);

    if (status != NUCE_OK || duplicate == NULL)
        return status;
    return check_parts("duplicate", duplicate, json_object_get(duplicate, "place"), error);
}

/* The outer array has one entry per sample, each with one time per rank, in the order of ranks. */
static nuce_status check_per_rank(const json_t *record, struct nuce_error *error)
{
    const json_t *per_rank = json_object_get(record, "per_rank");
    const json_t *step = json_object_get(json_object_get(record, "samples"), "step");
    const json_t *ranks;
    size_t index;

    if (per_rank == NULL || json_is_null(per_rank))
        return NUCE_OK;
    if (!json_is_array(per_rank) || json_array_size(per_rank) != json_array_size(step))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "run record: 'per_rank' and 'step' differ in number");
    json_array_foreach(per_rank, index, ranks)
    {
        if (!json_is_array(ranks) || (json_int_t)json_array_size(ranks) !=
                                         json_integer_value(json_object_get(record, "ranks")))
            return nuce_error_set(
                error, NUCE_BAD_INPUT,
                "run record: sample %zu of 'per_rank': expected one time per rank", index);
        if (check_seconds("per_rank", ranks, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* null means that the event could not be counted here. Counts have 64 bits, as JSON integers. */
static nuce_status check_counters(const json_t *record, struct nuce_error *error)
{
    const json_t *counters = json_object_get(record, "counters");
    const json_t *counter;
    size_t index;

    if (counters == NULL || json_is_null(counters))
        return NUCE_OK;
    if (!json_is_array(counters))
        return nuce_error_set(error, NUCE_BAD_INPUT, "run record: 'counters' is not an array");
    json_array_foreach(counters, index, counter)
    {
        const json_t *value = json_object_get(counter, "value");

        if (!json_is_string(json_object_get(counter, "part")) ||
            !json_is_string(json_object_get(counter, "event")) ||
            !(json_is_integer(value) || json_is_null(value)))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "run record: counter %zu without 'part', 'event' or 'value'",
                                  index);
    }
    return NUCE_OK;
}

/* True if the row is an array with one value for each letter of form, as that letter requires:
 *   r, R  one of the ranks; one above 0
 *   o     one of the ranks, another than the value before
 *   n, N  a whole number of at least 0; that or null
 *   q, Q  a number of at least 0; that or null
 *   p, P  a number above 0, as times are divided by it; that or null
 *   t, e  any number; one that is not below the value before
 *   d, f  the direction of a transfer; the same or that of a forwarded part */
static int fits(const json_t *row, const char *form, json_int_t ranks)
{
    int is_right = json_array_size(row) == strlen(form);

    for (size_t i = 0; is_right && form[i] != '\0'; i++) {
        const json_t *value = json_array_get(row, i);
        const json_t *before = i > 0 ? json_array_get(row, i - 1) : NULL;
        json_int_t whole = json_is_integer(value) ? json_integer_value(value) : -1;
        double number = json_is_number(value) ? json_number_value(value) : NAN;
        const char *text = json_is_string(value) ? json_string_value(value) : "";
        int may_be_null = strchr("NQP", form[i]) != NULL;

        switch (form[i]) {
        case 'r':
        case 'R':
            is_right = whole >= (form[i] == 'R') && whole < ranks;
            break;
        case 'o':
            is_right = whole >= 0 && whole < ranks && !json_equal(value, before);
            break;
        case 'n':
        case 'N':
            is_right = whole >= 0 || (may_be_null && json_is_null(value));
            break;
        case 'q':
        case 'Q':
            is_right = (number >= 0 && isfinite(number)) || (may_be_null && json_is_null(value));
            break;
        case 'p':
        case 'P':
            is_right = (number > 0 && isfinite(number)) || (may_be_null && json_is_null(value));
            break;
        case 't':
            is_right = json_is_number(value);
            break;
        case 'e':
            is_right = number >= json_number_value(before);
            break;
        default:
            is_right = strcmp(text, "send") == 0 || strcmp(text, "receive") == 0 ||
                       (form[i] == 'f' && strcmp(text, "forward") == 0);
            break;
        }
    }
    return is_right;
}

/* Checks all arrays of rows by one table, since they differ only in the form of a row. Numbers of
 * switches are the topology's own; a root has no parent. A standard error is null if none can be
 * given, a port's capacity if no limit was seen. A processor that gets nothing has a part of 0 rows
 * or columns. */
static nuce_status check_rows(const json_t *record, struct nuce_error *error)
{
#define TRANSFER                                                                                   \
    "rank, direction, peer, phase, bytes, start and end of a transfer between its ranks"
    static const struct {
        const char *key, *form, *row, *expected;
    } arrays[] = {
        {"switches", "nnNn", "row", "number, level, parent and place of its ranks"},
        {"switch_links", "nn", "row", "the two switches of its ranks"},
        {"placed", "rnnn", "row", "rank, switch, row and column of its ranks"},
        {"links", "roqQpQ", "row",
         "source, destination, startup, error, bandwidth and error of its ranks"},
        {"ports", "rPP", "row", "rank and bytes per second out and in of its ranks"},
        {"contention", "Rppp", "row",
         "partners, relative throughput and gains out and in of its ranks"},
        {"rectangles", "rqqqq", "row", "owner, row, column, rows and columns of its ranks"},
        {"speeds", "rppp", "row", "rank and cells per second with their interval of its ranks"},
        {"events", "rdrnnte", "event", TRANSFER},
        {"planned", "rfrnnte", "event", TRANSFER},
    };
    json_int_t ranks = json_integer_value(json_object_get(record, "ranks"));
    const json_t *row;
    size_t index;

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        const json_t *rows = json_object_get(record, arrays[k].key);

        if (rows != NULL && !json_is_null(rows) && !json_is_array(rows))
            return nuce_error_set(error, NUCE_BAD_INPUT, "run record: '%s' is not an array",
                                  arrays[k].key);
        json_array_foreach(rows, index, row)
        {
            if (!fits(row, arrays[k].form, ranks))
                return nuce_error_set(error, NUCE_BAD_INPUT, "run record: %s: %s %zu is not %s",
                                      arrays[k].key, arrays[k].row, index, arrays[k].expected);
        }
    }
    return NUCE_OK;
}

/* "events" require two values about their accuracy: the number of events lost for lack of room, and
 * the possible difference of two ranks' clocks (seconds). "planned" alone requires nothing: it is
 * computed. */
static nuce_status check_events(const json_t *record, struct nuce_error *error)
{
    const json_t *events = json_object_get(record, "events");
    const json_t *found = json_object_get(record, "metrics");

    if (events != NULL && !json_is_null(events) &&
        (!json_is_integer(json_object_get(found, "events_lost")) ||
         !json_is_number(json_object_get(found, "clock_error_s"))))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "run record: 'events' without 'events_lost' and 'clock_error_s'");
    return NUCE_OK;
}

/* No older version is converted: the meaning of fields has changed with the number. A resumed
 * campaign runs the missing points in the new form. */
nuce_status nuce_record_check_version(const json_t *record, struct nuce_error *error)
{
    const json_t *version = json_object_get(record, "version");
    json_int_t number = json_integer_value(version);

    if (!json_is_string(json_object_get(record, "record")) || !json_is_integer(version))
        return nuce_error_set(error, NUCE_BAD_INPUT, "not a record: no 'record' and 'version'");
    if (number != NUCE_RECORD_VERSION)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "record version %lld, this nuce reads version %d: %s",
                              (long long)number, NUCE_RECORD_VERSION,
                              number < NUCE_RECORD_VERSION
                                  ? "'nuce resume' of its campaign runs its points again; the nuce "
                                    "that wrote it reads it"
                                  : "a newer nuce reads it");
    return NUCE_OK;
}

/* The order matters: the later checks rely on `ranks` being an integer and on `samples` being
 * there. */
nuce_status nuce_record_check_run(const json_t *record, struct nuce_error *error)
{
    static const char *const kinds[] = {"measured", "simulated", "modelled", NULL};

    if (nuce_record_check_version(record, error) != NUCE_OK ||
        check_fields(record, error) != NUCE_OK ||
        check_one_of(record, "status", nuce_record_statuses, error) != NUCE_OK ||
        check_one_of(record, "kind", kinds, error) != NUCE_OK)
        return error->status;
    if (!json_is_string(json_object_get(record, "workload")) ||
        !json_is_integer(json_object_get(record, "ranks")) ||
        !json_is_object(json_object_get(record, "params")))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "run record without 'workload', 'ranks' or 'params'");
    if (check_found(record, error) != NUCE_OK || check_samples(record, error) != NUCE_OK ||
        check_per_rank(record, error) != NUCE_OK)
        return error->status;
    if (check_counters(record, error) != NUCE_OK || check_rows(record, error) != NUCE_OK)
        return error->status;
    return check_events(record, error);
}

int64_t nuce_record_time_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The milliseconds are cut, not rounded, to match gmtime_r's seconds: 23:59:59.9996 does not become
 * a second of the next day. */
const char *nuce_record_time_now(char buffer[NUCE_TIME_BYTES])
{
    struct timespec now;
    struct tm parts;
    size_t length;

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    length = strftime(buffer, NUCE_TIME_BYTES, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(buffer + length, NUCE_TIME_BYTES - length, ".%03ldZ", now.tv_nsec / 1000000);
    return buffer;
}

int64_t nuce_record_parse_time_ms(const char *text)
{
    struct tm parts = {0};
    const char *rest = text != NULL ? strptime(text, "%Y-%m-%dT%H:%M:%S", &parts) : NULL;
    long milliseconds = rest != NULL && *rest == '.' ? strtol(rest + 1, NULL, 10) % 1000 : 0;

    return rest != NULL ? (int64_t)timegm(&parts) * 1000 + labs(milliseconds) : 0;
}

/* The hashes of points and environments.
 *
 * An identity is the SHA-256 of one canonical text: compact JSON with sorted keys, reals as jansson
 * prints them by default (17 significant figures). The same parameters have the same hash,
 * regardless of their writer and order. So a point is found again by its hash alone, in a resumed
 * campaign or another one. Checking costs as much as making: the content of a record is written
 * again and hashed. */

/* The one text of a value for its hash. NULL for NULL. */
static char *canonical_text(const json_t *value)
{
    return json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
}

/* A point with "algorithm" among its parameters would hash well but has no meaning in this nuce. It
 * gets a message of its own, with advice. */
nuce_status nuce_record_check_point(const json_t *record, struct nuce_error *error)
{
    const char *id = json_string_value(json_object_get(record, "point"));
    json_t *canonical =
        json_pack("{s:O, s:O, s:O}", "workload", json_object_get(record, "workload"), "ranks",
                  json_object_get(record, "ranks"), "params", json_object_get(record, "params"));
    char *text = canonical != NULL ? canonical_text(canonical) : NULL;
    char hash[NUCE_HASH_BYTES];

    json_decref(canonical);
    if (json_object_get(json_object_get(record, "params"), "algorithm") != NULL) {
        free(text);
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "point '%s': algorithm: %s: the record is of an older nuce: run the point again",
            id != NULL ? id : "", nuce_option_ended("algorithm"));
    }
    if (text == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "point '%s' without 'workload', 'ranks' or 'params'",
                              id != NULL ? id : "");
    nuce_hash(text, strlen(text), hash);
    free(text);
    if (id == NULL || strcmp(hash, id) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "point '%s' is not the SHA-256 of its workload, ranks and params",
                              id != NULL ? id : "");
    return NUCE_OK;
}

int nuce_record_unknown_variables(const json_t *record)
{
    static const char *const parts[] = {"described", "facts"};
    int count = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const json_t *part = json_object_get(record, parts[i]);
        const char *name;
        json_t *value;

        json_object_foreach(json_object_get(part, "variables"), name, value) count +=
            !nuce_known_variables_has(name);
    }
    return count;
}

/* The canonical text of a part of a job record, without the variables that records must not keep.
 * Records from before the list have such variables. */
static char *text_to_keep(const json_t *part)
{
    json_t *kept = json_deep_copy(part);
    char *text;

    nuce_known_variables_drop_others(json_object_get(kept, "variables"));
    text = canonical_text(kept);
    json_decref(kept);
    return text;
}

/* The hash is over the canonical text in the record, with all variables, even those that are not
 * kept: its writer hashed that text. Outputs are unchanged unless the whole record is valid. */
nuce_status nuce_record_check_job(const json_t *record, char **described, char **facts,
                                  struct nuce_error *error)
{
    const char *id = json_string_value(json_object_get(record, "environment"));
    char *described_text = canonical_text(json_object_get(record, "described"));
    char *facts_text = canonical_text(json_object_get(record, "facts"));
    char hash[NUCE_HASH_BYTES];
    nuce_status status = NUCE_OK;

    if (described_text != NULL)
        nuce_hash(described_text, strlen(described_text), hash);
    if (id == NULL || described_text == NULL || facts_text == NULL ||
        !json_is_string(json_object_get(record, "job")) ||
        !json_is_string(json_object_get(record, "campaign")))
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "job record without 'job', 'campaign', 'environment', 'described' "
                                "or 'facts'");
    else if (strcmp(hash, id) != 0)
        status =
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "job record: environment '%s' is not the SHA-256 of 'described'", id);
    if (status == NUCE_OK && described != NULL)
        *described = text_to_keep(json_object_get(record, "described"));
    if (status == NUCE_OK && facts != NULL)
        *facts = text_to_keep(json_object_get(record, "facts"));
    free(described_text);
    free(facts_text);
    return status;
}
