/* From the points of a database to the captures that their campaigns keep. A point names its
 * capture by NAME@SHA-256 and the campaign has a copy of the file (campaigns/inputs.h), so that the
 * report shows what was raced and not what lies under that name now. One copy is enough where
 * several campaigns raced it. */
#include "commands/capture_report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"
#include "campaigns/inputs.h"
#include "capture/capture.h"
#include "commands/capture_picture.h"
#include "commands/capture_print.h"
#include "results/grid_read.h"

/* Every capture with each campaign that raced it. */
static const char captures_sql[] =
    "SELECT DISTINCT json_extract(p.params, '$.capture') AS capture, r.campaign FROM run AS r"
    " JOIN point AS p ON p.id = r.point WHERE json_extract(p.params, '$.capture') IS NOT NULL"
    " ORDER BY capture, r.campaign";

/* The captures of the report's campaign, or of all, in the order of captures_sql. */
static nuce_status read_capture_names(const struct nuce_report *report, struct nuce_grid *out,
                                      struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    nuce_status status = nuce_store_open_reading(report->database, &store, error);

    if (status == NUCE_OK)
        status = nuce_store_narrow(&store, report->campaign, error);
    if (status == NUCE_OK)
        status = nuce_grid_query(&store, out, error, captures_sql);
    nuce_store_close(&store);
    return status;
}

/* Where the campaign keeps the file of that identity, NAME@SHA-256; a new string. NULL: it has
 * none, or no such names. */
static char *kept_path(const char *campaigns, const char *campaign, const char *identity)
{
    char *name = nuce_text_is_name(campaign) ? nuce_inputs_name_of_taken(identity) : NULL;
    char *path = NULL;

    if (name != NULL)
        path = nuce_text_format("%s/%s/%s", campaigns, campaign, name);
    free(name);
    if (path != NULL && access(path, R_OK) != 0) {
        free(path);
        path = NULL;
    }
    return path;
}

/* Adds the table and the picture of the capture at path. On failure the report is as it was. */
static nuce_status add_reported(struct nuce_report *report, const char *path,
                                struct nuce_error *error)
{
    struct nuce_capture capture = {0};
    struct nuce_plot_data data = {0};
    struct nuce_plot plot = {0};
    struct nuce_grid table = {0};

    if (nuce_capture_read(path, &capture, error) != NUCE_OK)
        return error->status;
    nuce_capturing_table(&capture, &table);
    error->status = nuce_capturing_picture(&capture, path, NULL, &plot, &data, error);
    nuce_capture_fini(&capture);
    if (error->status == NUCE_OK) {
        nuce_report_add_capture(report, &plot, &data, &table);
        return NUCE_OK;
    }
    nuce_grid_fini(&table);
    return error->status;
}

/* Rows come by capture: the first campaign that keeps it is taken, and that none does is said at
 * its last row. */
nuce_status nuce_capturing_report(struct nuce_report *report, const char *campaigns,
                                  struct nuce_error *error)
{
    struct nuce_grid names = {0};
    const char *shown = "";

    error->status = read_capture_names(report, &names, error);
    for (int64_t row = 0; error->status == NUCE_OK && row < names.rows; row++) {
        const char *identity = nuce_grid_text(&names, row, "capture");
        int is_last = row + 1 == names.rows ||
                      strcmp(nuce_grid_text(&names, row + 1, "capture"), identity) != 0;
        char *path = strcmp(shown, identity) == 0
                         ? NULL
                         : kept_path(campaigns, nuce_grid_text(&names, row, "campaign"), identity);

        if (path != NULL) {
            shown = identity;
            if (add_reported(report, path, error) == NUCE_BAD_INPUT) {
                nuce_message_error(error);
                error->status = NUCE_OK;
            }
        } else if (is_last && strcmp(shown, identity) != 0) {
            char text[256];

            snprintf(text, sizeof text, "%.100s: no campaign in %.100s keeps it: not reported",
                     identity, campaigns);
            nuce_message_print(text);
        }
        free(path);
    }
    nuce_grid_fini(&names);
    return error->status;
}
