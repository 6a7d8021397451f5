/* What is the hash of what: points and environments.
 *
 * An identity is the SHA-256 of one canonical text: compact JSON with sorted keys, reals as jansson
 * prints them by default (17 significant figures). The same parameters have the same hash whoever
 * wrote them in whatever order, so that a point is found again by its hash alone, in a resumed
 * campaign or another one. Checking costs as much as making: what a record holds is written anew
 * and hashed. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/known_variables.h"
#include "base/option.h"
#include "base/record.h"

/* The one text that a value has when it is hashed. NULL of NULL. */
static char *canonical_text(const json_t *value)
{
    return json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
}

/* A point with "algorithm" among its parameters would hash well and mean nothing to this nuce: it
 * is told apart, with what to do. */
nuce_status nuce_record_check_point(const json_t *record, struct nuce_error *error)
{
    const char *id = json_string_value(json_object_get(record, "point"));
    json_t *canonical =
        json_pack("{s:O, s:O, s:O}", "workload", json_object_get(record, "workload"), "ranks",
                  json_object_get(record, "ranks"), "params", json_object_get(record, "params"));
    char *text = canonical != NULL ? canonical_text(canonical) : NULL;
    char hash[NUCE_HASH_BYTES];
    nuce_status status;

    json_decref(canonical);
    if (json_object_get(json_object_get(record, "params"), "algorithm") != NULL) {
        free(text);
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "point '%s': algorithm: %s: the record is of an older nuce: run the "
                              "point anew",
                              id != NULL ? id : "", nuce_option_ended("algorithm"));
    }
    if (text == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "point '%s' without 'workload', 'ranks' or 'params'",
                              id != NULL ? id : "");
    status = nuce_hash(text, strlen(text), hash, error);
    free(text);
    if (status == NUCE_OK && (id == NULL || strcmp(hash, id) != 0))
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "point '%s' is not the SHA-256 of its workload, ranks and params",
                                id != NULL ? id : "");
    return status;
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

/* The canonical text of a part of a job record without the variables that nobody is to keep, as
 * records of before there was a list have them. */
static char *text_to_keep(const json_t *part)
{
    json_t *kept = json_deep_copy(part);
    char *text;

    nuce_known_variables_drop_others(json_object_get(kept, "variables"));
    text = canonical_text(kept);
    json_decref(kept);
    return text;
}

/* Hashed is the canonical text as it stands in the record, with all variables, also those that are
 * not kept: it is what its writer hashed. Outputs stay as they were unless the whole record is
 * well. */
nuce_status nuce_record_check_job(const json_t *record, char **described, char **facts,
                                  struct nuce_error *error)
{
    const char *id = json_string_value(json_object_get(record, "environment"));
    char *described_text = canonical_text(json_object_get(record, "described"));
    char *facts_text = canonical_text(json_object_get(record, "facts"));
    char hash[NUCE_HASH_BYTES];
    nuce_status status;

    if (id == NULL || described_text == NULL || facts_text == NULL ||
        !json_is_string(json_object_get(record, "job")) ||
        !json_is_string(json_object_get(record, "campaign")))
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "job record without 'job', 'campaign', 'environment', 'described' "
                                "or 'facts'");
    else
        status = nuce_hash(described_text, strlen(described_text), hash, error);
    if (status == NUCE_OK && strcmp(hash, id) != 0)
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
