/* What to type next, so that it can be pasted into a shell.
 *
 * Every message that ends with "... : nuce resume PATH" takes the command from here. The path is
 * that of the campaign as it was opened, quoted, so that a folder with blanks or a quote in its
 * name is one word; the folder of campaigns (--campaigns) need not be said again. */
#include "campaigns/advice.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/script.h"

char *nuce_advice(const struct nuce_campaign *campaign, const char *subcommand,
                  struct nuce_error *error)
{
    /* A path without a slash would be taken for a name below the default folder, and one with a
     * hyphen in front for an option. */
    const char *here = strchr(campaign->path, '/') == NULL || *campaign->path == '-' ? "./" : "";
    char *path = nuce_text_format("%s%s", here, campaign->path);
    char *quoted = nuce_script_quote(path, error);
    char *line = quoted != NULL ? nuce_text_format("nuce %s %s", subcommand, quoted) : NULL;

    free(quoted);
    free(path);
    return line;
}
