/* What is the hash of what: points and environments. */
#include <stdlib.h>
#include <string.h>

#include "support/hash.h"
#include "support/option.h"
#include "support/record.h"

/* The one text that a value has when it is hashed. NULL when out of memory or given NULL. */
static char *canonical_text(const json_t *value)
{
    return json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
}

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

static nuce_status identity_check_environment(const char *id, const char *described,
                                              struct nuce_error *error)
{
    char hash[NUCE_HASH_BYTES];

    if (nuce_hash(described, strlen(described), hash, error) != NUCE_OK)
        return error->status;
    if (strcmp(hash, id) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "job record: environment '%s' is not the SHA-256 of 'described'", id);
    return NUCE_OK;
}

nuce_status nuce_record_check_job(const json_t *record, char **described, char **facts,
                                  struct nuce_error *error)
{
    const char *id = json_string_value(json_object_get(record, "environment"));
    char *described_text = canonical_text(json_object_get(record, "described"));
    char *facts_text = canonical_text(json_object_get(record, "facts"));
    nuce_status status;

    if (id == NULL || described_text == NULL || facts_text == NULL ||
        !json_is_string(json_object_get(record, "job")) ||
        !json_is_string(json_object_get(record, "campaign")))
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "job record without 'job', 'campaign', 'environment', 'described' "
                                "or 'facts'");
    else
        status = identity_check_environment(id, described_text, error);
    if (status == NUCE_OK && described != NULL) {
        *described = described_text;
        described_text = NULL;
    }
    if (status == NUCE_OK && facts != NULL) {
        *facts = facts_text;
        facts_text = NULL;
    }
    free(described_text);
    free(facts_text);
    return status;
}
