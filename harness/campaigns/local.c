/* local: the ranks on this machine, under an mpiexec.
 *
 * Command: MPIEXEC -n RANKS PROGRAM. Limits: ranks beyond the number of processors take turns; nuce
 * prints and records that. */
#include "campaigns/launcher.h"
#include "campaigns/shell_variables.h"

static nuce_status open_local(struct nuce_launcher *launcher, const struct nuce_campaign *campaign,
                              const char *const *starter, struct nuce_error *error)
{
    /* starter is one word, the mpiexec. */
    const char *const words[] = {starter[0], "-n", NUCE_LAUNCHER_RANKS, NULL};

    (void)campaign;
    launcher->in_step = nuce_shell_leave(NUCE_SHELL_STARTS, NULL, NULL);
    return nuce_launcher_take(launcher, words, error);
}

const struct nuce_launcher_ops nuce_launcher_local = {
    .name = "local",
    .summary = "run on this machine",
    .kind = "measured",
    .caps = NUCE_LAUNCHER_IS_HERE | NUCE_LAUNCHER_MEASURES,
    .open = open_local,
};
