/* The pattern of an exchange, or one rank's row of it from the same numbers. It is drawn by a
 * generator, read from a COM file, or derived from a mesh cut into parts. A program reads a mesh
 * once for all its points. So nuce_exchange_pattern does not handle meshes, and
 * nuce_exchange_whole_pattern does. */
#include "points/exchange_instance.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/text.h"
#include "capture/capture.h"
#include "instances/partition.h"
#include "schedules/generator.h"

/* The generators' input for params. A degree beyond any pattern's ranks is cut, so that the
 * generator refuses it. */
static nuce_status generator_input(const struct nuce_exchange_params *params, int ranks,
                                   struct nuce_generator_input *out, struct nuce_error *error)
{
    const char *text = params->generator.fft_grid;

    *out = params->generator;
    out->ranks = ranks;
    out->degree =
        params->degree > NUCE_PATTERN_MAX_RANKS ? NUCE_PATTERN_MAX_RANKS : nuce_int(params->degree);
    for (int side = 0; side < 3; side++) {
        char *end;

        errno = 0;
        out->grid[side] = strtoll(text, &end, 10);
        if (*text < '0' || *text > '9' || errno != 0 || *end != (side < 2 ? 'x' : '\0'))
            return nuce_error_refuse(error, "fft-grid",
                                     "'%.60s': expected three whole numbers, such as 64x64x64",
                                     out->fft_grid);
        text = end + 1;
    }
    return NUCE_OK;
}

nuce_status nuce_exchange_check_pattern(const struct nuce_exchange_params *params, int ranks,
                                        struct nuce_error *error)
{
    struct nuce_generator_input input;

    if (generator_input(params, ranks, &input, error) != NUCE_OK)
        return error->status;
    return nuce_generator_check(nuce_generator_find(params->pattern), &input, error);
}

int nuce_exchange_is_read(const struct nuce_exchange_params *params)
{
    return strcmp(params->pattern, "com") == 0 || strcmp(params->pattern, "capture") == 0;
}

/* Reads the capture; *pattern is the pattern of it that params name. Freed with nuce_capture_fini,
 * also after failure. */
static nuce_status read_call(const struct nuce_exchange_params *params,
                             struct nuce_capture *capture,
                             const struct nuce_capture_pattern **pattern, struct nuce_error *error)
{
    if (nuce_capture_read(params->capture, capture, error) != NUCE_OK)
        return error->status;
    *pattern = nuce_capture_find(capture, params->call, error);
    return *pattern == NULL ? error->status : NUCE_OK;
}

nuce_status nuce_exchange_splits(const void *params, struct nuce_splits *out,
                                 struct nuce_error *error)
{
    const struct nuce_exchange_params *p = params;
    const struct nuce_capture_pattern *pattern;
    struct nuce_capture capture = {0};
    nuce_status status;

    *out = (struct nuce_splits){0};
    if (p->capture[0] == '\0' || nuce_scheduling_emulates(&p->scheduling))
        return NUCE_OK;
    status = read_call(p, &capture, &pattern, error);
    if (status == NUCE_OK)
        nuce_capture_splits(&capture, pattern, out);
    nuce_capture_fini(&capture);
    return status;
}

nuce_status nuce_exchange_captured_init(const struct nuce_exchange_params *params,
                                        struct nuce_exchange_captured *out,
                                        struct nuce_error *error)
{
    const struct nuce_capture_pattern *pattern;
    struct nuce_capture capture = {0};
    nuce_status status = read_call(params, &capture, &pattern, error);

    *out = (struct nuce_exchange_captured){0};
    if (status == NUCE_OK) {
        out->host =
            nuce_allocate(capture.communicator[pattern->communicator].size, sizeof *out->host);
        if (!nuce_capture_hosts_of(&capture, pattern, out->host)) {
            free(out->host);
            out->host = NULL;
        }
        out->calls = pattern->calls;
        out->call = nuce_raw_kind_name(pattern->kind);
        out->call_s = 1e-9 * nuce_capture_times_quantile(&pattern->duration, 0.5);
        if (isnan(out->call_s))
            out->call_s = 1e-9 * nuce_capture_times_mean(&pattern->duration);
        out->elapsed_s = capture.elapsed_ns > 0 ? (double)capture.elapsed_ns * 1e-9 : NAN;
        out->messages = capture.topology[pattern->topology].messages;
        out->quality = nuce_capture_quality_name(pattern->quality);
        if (capture.library[0] != '\0')
            nuce_text_library(capture.library, out->library, sizeof out->library);
    }
    nuce_capture_fini(&capture);
    return status;
}

void nuce_exchange_captured_note(const struct nuce_exchange_captured *captured,
                                 struct nuce_metrics *found)
{
    nuce_metrics_integer(found, "captured_calls", captured->calls);
    nuce_metrics_text(found, "captured_kind", captured->call);
    nuce_metrics_real(found, "captured_call_s", captured->call_s);
    nuce_metrics_real(found, "captured_elapsed_s", captured->elapsed_s);
    nuce_metrics_integer(found, "captured_messages", captured->messages);
    nuce_metrics_text(found, "captured_quality", captured->quality);
    if (captured->library[0] != '\0')
        nuce_metrics_text(found, "captured_library", captured->library);
}

void nuce_exchange_captured_fini(struct nuce_exchange_captured *captured)
{
    free(captured->host);
    *captured = (struct nuce_exchange_captured){0};
}

/* Maximum number of patterns of one kind that a note names. */
#define MOST_NAMED 8

/* Places of patterns that are left out, with commas between. */
struct left_out {
    char *places;
    int count;
};

static void leave_out(struct left_out *left, int place)
{
    if (left->count++ < MOST_NAMED)
        nuce_text_append(&left->places, "%s%d", left->places == NULL ? "" : ", ", place);
}

/* Appends to *note if patterns are left out, and frees their places. at: for which rank count. */
static void note_left_out(struct left_out *left, const char *call, const char *at, const char *kind,
                          char **note)
{
    if (left->count > 0) {
        if (*note == NULL)
            nuce_text_append(note, "'%s'%s: leaves out patterns", call, at);
        else
            nuce_text_append(note, ";");
        nuce_text_append(note, " %s: %s%s", kind, left->places,
                         left->count > MOST_NAMED ? ", ..." : "");
    }
    free(left->places);
}

nuce_status nuce_exchange_several_calls(const struct nuce_exchange_params *params, int ranks,
                                        struct nuce_several *out, struct nuce_error *error)
{
    struct nuce_capture capture = {0};
    struct nuce_capture_row *rows;
    struct left_out empty = {0}, other = {0}; /* without bytes; of another number of ranks */
    char *note = NULL, at[32] = "";
    int most;

    if (!nuce_capture_names_several(params->call, &most))
        return NUCE_OK;
    if (nuce_capture_read(params->capture, &capture, error) != NUCE_OK)
        return nuce_error_about(error, "capture");
    rows = nuce_capture_rows(&capture);
    out->values = nuce_allocate(capture.patterns, sizeof *out->values);
    for (int i = 0; i < capture.patterns && out->count < most; i++) {
        const struct nuce_capture_pattern *pattern = &capture.pattern[rows[i].pattern];

        if (rows[i].place == 0)
            continue;
        if (!rows[i].has_bytes)
            leave_out(&empty, rows[i].place);
        else if (ranks > 0 && capture.communicator[pattern->communicator].size != ranks)
            leave_out(&other, rows[i].place);
        else
            snprintf(out->values[out->count++], sizeof *out->values, "%d", rows[i].place);
    }
    free(rows);
    nuce_capture_fini(&capture);
    if (ranks > 0)
        snprintf(at, sizeof at, " for %d ranks", ranks);
    note_left_out(&empty, params->call, at, "whose messages have 0 bytes", &note);
    note_left_out(&other, params->call, at, "of other rank counts", &note);
    if (out->count > 0)
        out->note = note;
    else
        free(note);
    if (out->count > 0)
        return NUCE_OK;
    return ranks > 0 ? nuce_error_refuse(error, "ranks",
                                         "'%d': %s has no pattern of that many ranks with bytes",
                                         ranks, params->capture)
                     : nuce_error_refuse(error, "capture", "%s has no pattern with bytes",
                                         params->capture);
}

/* Seconds. A call whose last rank was later than this is not repeated: a round would take
 * longer. */
#define LATEST_S 60.0

nuce_status nuce_exchange_lateness_init(const struct nuce_exchange_params *params, int rank,
                                        struct nuce_exchange_lateness *out,
                                        struct nuce_error *error)
{
    struct nuce_exchange_lateness lateness = {.calls = 1};
    const struct nuce_capture_pattern *pattern;
    struct nuce_capture capture = {0};

    error->status = read_call(params, &capture, &pattern, error);
    if (error->status == NUCE_OK) {
        int size = capture.communicator[pattern->communicator].size;
        double *late_s = nuce_allocate(size, sizeof *late_s);

        lateness.calls = pattern->kept > 0 ? pattern->kept : 1;
        lateness.own_s = nuce_allocate(lateness.calls, sizeof *lateness.own_s);
        for (int call = 0; error->status == NUCE_OK && call < lateness.calls; call++) {
            double last_s = 0;

            if (nuce_capture_lateness(&capture, pattern, call, late_s, error) != NUCE_OK)
                break;
            for (int i = 0; i < size; i++)
                last_s = fmax(last_s, late_s[i]);
            if (last_s > LATEST_S)
                nuce_error_set(
                    error, NUCE_BAD_INPUT,
                    "pattern %s: a rank arrived %.3g s after the first: expected at most "
                    "%g s",
                    pattern->id, last_s, LATEST_S);
            lateness.own_s[call] = rank < size ? late_s[rank] : 0;
            lateness.skew_s += last_s / lateness.calls;
        }
        free(late_s);
    }
    nuce_capture_fini(&capture);
    if (error->status == NUCE_OK)
        *out = lateness;
    else
        nuce_exchange_lateness_fini(&lateness);
    return error->status;
}

void nuce_exchange_lateness_fini(struct nuce_exchange_lateness *lateness)
{
    free(lateness->own_s);
    *lateness = (struct nuce_exchange_lateness){0};
}

static struct nuce_rng pattern_rng(const struct nuce_exchange_params *params)
{
    return nuce_rng_create((uint64_t)params->scheduling.seed,
                           (uint64_t)params->scheduling.instance);
}

int nuce_exchange_has_rows(const struct nuce_exchange_params *params)
{
    const struct nuce_generator_ops *generator = nuce_generator_find(params->pattern);

    /* The messages back to a rank depend on the tokens of all ranks. */
    return generator != NULL && generator->row != NULL &&
           !(params->generator.back && nuce_generator_uses(generator, "back"));
}

nuce_status nuce_exchange_row(const struct nuce_exchange_params *params, int rank, int ranks,
                              struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_generator_input input;
    struct nuce_generator_row row = {0};
    struct nuce_rng rng = pattern_rng(params);
    nuce_status status;

    if (generator_input(params, ranks, &input, error) != NUCE_OK ||
        nuce_generator_draw_row(nuce_generator_find(params->pattern), &input, &rng, rank, &row,
                                error) != NUCE_OK)
        return error->status;
    status = nuce_pattern_init(ranks, row.messages, row.count, out, error);
    nuce_generator_row_fini(&row);
    return status;
}

nuce_status nuce_exchange_pattern(const struct nuce_exchange_params *params, int ranks,
                                  struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_generator_input input;
    struct nuce_rng rng = pattern_rng(params);

    if (strcmp(params->pattern, "com") == 0)
        return nuce_pattern_read(params->com, ranks, out, error);
    if (strcmp(params->pattern, "capture") == 0) {
        const struct nuce_capture_pattern *pattern;
        struct nuce_capture capture = {0};

        error->status = read_call(params, &capture, &pattern, error);
        if (error->status == NUCE_OK && capture.communicator[pattern->communicator].size != ranks)
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: pattern %s is of %d ranks, expected %d",
                           params->capture, pattern->id,
                           capture.communicator[pattern->communicator].size, ranks);
        if (error->status == NUCE_OK)
            error->status = nuce_capture_com(&capture, pattern, out, error);
        nuce_capture_fini(&capture);
        return error->status;
    }
    if (generator_input(params, ranks, &input, error) != NUCE_OK)
        return error->status;
    return nuce_generators_draw(nuce_generator_find(params->pattern), &input, &rng, out, error);
}

nuce_status nuce_exchange_partition(const struct nuce_exchange_params *params,
                                    const struct nuce_mesh *mesh, int ranks,
                                    struct nuce_partition *out, struct nuce_error *error)
{
    if (params->partition_file[0] != '\0')
        return nuce_partition_read(params->partition_file, mesh, ranks, out, error);
    return nuce_partition_create(nuce_partition_find(params->partition), mesh, ranks,
                                 params->scheduling.seed, out, error);
}

nuce_status nuce_exchange_scale(const struct nuce_exchange_params *params,
                                struct nuce_pattern *pattern, struct nuce_error *error)
{
    if (nuce_exchange_is_read(params))
        return NUCE_OK;
    return nuce_pattern_scale(pattern, params->item_bytes, error);
}

nuce_status nuce_exchange_whole_pattern(const void *params, int ranks, struct nuce_pattern *out,
                                        struct nuce_error *error)
{
    const struct nuce_exchange_params *p = params;
    struct nuce_pattern pattern = {0};
    nuce_status status;

    /* Reads and cuts the mesh, O(nodes + edges). For models and planning; programs do it once for
     * all points (programs/exchange.c). */
    if (strcmp(p->pattern, "mesh") == 0) {
        struct nuce_mesh mesh = {0};
        struct nuce_partition partition = {0};
        char *path = NULL;
        int shipped = 0;

        status = nuce_mesh_locate(p->mesh, &path, &shipped, error);
        if (status == NUCE_OK)
            status = nuce_mesh_read(path, p->graph, &mesh, error);
        if (status == NUCE_OK)
            status = nuce_exchange_partition(p, &mesh, ranks, &partition, error);
        if (status == NUCE_OK)
            status = nuce_partition_pattern(&mesh, &partition, &pattern, error);
        free(path);
        nuce_mesh_fini(&mesh);
        nuce_partition_fini(&partition);
    } else {
        status = nuce_exchange_pattern(p, ranks, &pattern, error);
    }
    if (status == NUCE_OK)
        status = nuce_exchange_scale(p, &pattern, error);
    if (status == NUCE_OK)
        *out = pattern;
    else
        nuce_pattern_fini(&pattern);
    return status;
}
