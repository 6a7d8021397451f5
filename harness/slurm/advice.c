/* What to type next, so that it can be pasted into a shell. */
#include "slurm/advice.h"

#include <stdlib.h>
#include <string.h>

#include "slurm/script.h"
#include "support/text.h"

char *nuce_advice(const struct nuce_campaign *campaign, const char *subcommand,
                  struct nuce_error *error)
{
    /* A path without a slash would be taken for a name below the default folder, and one with a
     * hyphen in front for an option. */
    const char *here = strchr(campaign->path, '/') == NULL || *campaign->path == '-' ? "./" : "";
    char *path = nuce_text_format(error, "%s%s", here, campaign->path);
    char *quoted = path != NULL ? nuce_script_quote(path, error) : NULL;
    char *line = quoted != NULL ? nuce_text_format(error, "nuce %s %s", subcommand, quoted) : NULL;

    free(quoted);
    free(path);
    return line;
}
