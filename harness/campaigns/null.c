/* null: starts nothing. Each start is said as the command that `local` would give, and its points
 * count as attempted: what a campaign would do, and how the loop over starts is tested. */
#include "campaigns/launcher.h"

/* The words of `local`, since these are what is said. */
static nuce_status open_null(struct nuce_launcher *launcher, const struct nuce_campaign *campaign,
                             const char *const *starter, struct nuce_error *error)
{
    return nuce_launcher_local.open(launcher, campaign, starter, error);
}

const struct nuce_launcher_ops nuce_launcher_null = {
    .name = "null",
    .summary = "not run: a dry run",
    .kind = "measured",
    .caps = NUCE_LAUNCHER_DRY,
    .open = open_null,
};
