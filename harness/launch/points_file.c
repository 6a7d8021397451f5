/* The file that a program is started with: lines of the plan, with the paths of copies made whole.
 * It stays in the campaign's launches/, so that what a start was given can be seen afterwards. */
#include "launch/points_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "launch/inputs.h"
#include "support/jsonl.h"
#include "support/safe_file.h"

nuce_status nuce_points_file_write(const struct nuce_campaign *campaign, const int64_t *points,
                                   int64_t count, const char *folder, const char *name,
                                   struct nuce_error *error)
{
    size_t size = 0;
    char *text = NULL;
    FILE *stream = open_memstream(&text, &size);
    int good = stream != NULL;

    for (int64_t i = 0; good && i < count; i++) {
        json_t *planned = campaign->points[points[i]].line;
        json_t *line = nuce_inputs_resolve(campaign->path, planned);

        good = line != NULL && nuce_jsonl_print(line, stream);
        json_decref(line);
    }
    good = stream != NULL && fclose(stream) == 0 && good;
    if (good)
        error->status = nuce_safe_write(folder, name, text, size, error);
    else
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a list of points");
    free(text);
    return error->status;
}
