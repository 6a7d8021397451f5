/* model: measures nothing; one process of nuce-model computes the points.
 *
 * Command: nuce-model points, for every workload and rank count. */
#include "campaigns/launcher.h"

/* No word in front of the program: one process needs no starter. */
static nuce_status open_model(struct nuce_launcher *launcher, const struct nuce_campaign *campaign,
                              const char *const *starter, struct nuce_error *error)
{
    const char *const none[] = {NULL};

    (void)campaign;
    (void)starter;
    return nuce_launcher_take(launcher, none, error);
}

const struct nuce_launcher_ops nuce_launcher_model = {
    .name = "model",
    .summary = "modelled on this machine",
    .kind = "modelled",
    .program = "nuce-model",
    .subcommand = "points",
    .open = open_model,
};
