/* Reading a line: its hash, its seal, JSON, and for a run what its row needs: all that takes time
 * and no database. Nothing here has a state, so that any thread can do it. */
#include "db/collect_line.h"

#include <stdlib.h>
#include <string.h>

#include "support/record.h"
#include "support/seal.h"

/* A carriage return that a transfer put at the end of a line is not the record's. */
void nuce_collect_line_hash(struct nuce_collect_line *line)
{
    line->length -= line->length > 0 && line->text[line->length - 1] == '\r';
    line->status = nuce_hash(line->text, line->length, line->hash, &line->error);
}

/* The JSON text of value; NULL without one, which is an error where it must be there. */
static char *line_text(const json_t *value)
{
    return value == NULL ? NULL : json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
}

/* Checks the run and makes what its row needs. text: where its samples stand; NULL: in the record.
 */
static nuce_status line_read_run(struct nuce_collect_line *line,
                                 const struct nuce_record_samples *text)
{
    const json_t *record = line->record, *found = json_object_get(record, "found");
    struct nuce_error *error = &line->error;
    nuce_status status = nuce_record_check_run(record, error);

    if (status == NUCE_OK)
        status = nuce_record_check_point(record, error);
    if (status == NUCE_OK && text != NULL)
        status = nuce_collect_samples_from_text(text, &line->samples, error);
    else if (status == NUCE_OK)
        status = nuce_collect_samples_from_json(json_object_get(record, "samples"), &line->samples,
                                                error);
    if (status != NUCE_OK)
        return status;
    line->params = line_text(json_object_get(record, "params"));
    line->found = line_text(found);
    if (line->params == NULL || (found != NULL && line->found == NULL))
        return nuce_error_set(error, NUCE_FAILED, "out of memory for a point");
    return NUCE_OK;
}

/* The seal comes before anything of the line is believed, also its being JSON: one bit more or less
 * in a time is still JSON. */
static nuce_status line_read(struct nuce_collect_line *line)
{
    struct nuce_record_samples in_text, *samples = &in_text;
    json_error_t problem;
    const char *kind;

    if (nuce_seal_check(line->text, line->length, &line->error) != NUCE_OK) {
        line->is_damaged = line->error.status == NUCE_BAD_INPUT;
        return line->error.status;
    }
    line->record = nuce_record_read_without_samples(line->text, line->length, samples);
    /* A line has no samples, or is not as kernels write it. */
    if (line->record == NULL) {
        samples = NULL;
        line->record = json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES, &problem);
    }
    if (line->record == NULL) {
        line->column = problem.column > 0 ? problem.column : 1;
        return nuce_error_set(&line->error, NUCE_BAD_INPUT, "not a JSON line: %s", problem.text);
    }
    kind = json_string_value(json_object_get(line->record, "record"));
    return kind != NULL && strcmp(kind, "run") == 0 ? line_read_run(line, samples) : NUCE_OK;
}

void nuce_collect_line_read(struct nuce_collect_line *line)
{
    if (!line->is_read && line->status == NUCE_OK)
        line->status = line_read(line);
    line->is_read = 1;
}

void nuce_collect_line_fini(struct nuce_collect_line *line)
{
    json_decref(line->record);
    free(line->params);
    free(line->found);
    nuce_collect_samples_fini(&line->samples);
    line->record = NULL;
    line->params = line->found = NULL;
}
