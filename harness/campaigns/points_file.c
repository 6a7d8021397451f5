/* The file that a program is started with: lines of the plan, with the paths of copies made whole.
 * It stays in the campaign's launches/, so that what a start was given can be seen afterwards. */
#include "campaigns/points_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/jsonl.h"
#include "base/safe_file.h"
#include "base/text_file.h"
#include "campaigns/inputs.h"

nuce_status nuce_points_file_write(const struct nuce_campaign *campaign, const int64_t *points,
                                   int64_t count, const char *folder, const char *name,
                                   struct nuce_error *error)
{
    struct nuce_text_print lines;
    nuce_status status = nuce_text_print_begin(&lines, error);

    for (int64_t i = 0; status == NUCE_OK && i < count; i++) {
        json_t *planned = campaign->points[points[i]].line;
        json_t *line = nuce_inputs_resolve(campaign->path, planned);

        if (line == NULL || !nuce_jsonl_print(line, lines.file))
            status = nuce_error_set(error, NUCE_FAILED, "out of memory for a list of points");
        json_decref(line);
    }
    status = nuce_text_print_end(&lines, status, error);
    if (status == NUCE_OK)
        status = nuce_safe_write(folder, name, lines.text, lines.length, error);
    free(lines.text);
    return status;
}
