/* smpi: the ranks on the machine that a SimGrid platform describes, under smpirun.
 *
 * Command: smpirun with the campaign's platform and hosts; the programs are those built on SMPI.
 * Limits: one process for all ranks, so the time of a start grows with them. Source: Degomme et
 * al., Simulating MPI Applications: The SMPI Approach, IEEE TPDS 28(8), 2017. */
#include "base/text.h"
#include "campaigns/launcher.h"
#include "campaigns/simulation.h"

/* SimGrid 3.32 keeps every message that a rank has tested for as long as the process lives, and
 * visits all of them at the end of each. So the cost of a start grows with the square of its
 * points, and with the fourth power of its ranks. Each point takes 80 ns x ranks^4 more than the
 * one before. A process takes 20 ms plus 6 ms per rank. This number minimises the sum of both. */
static int smpi_most_points(int ranks)
{
    int points = 1280 / ranks / ranks;

    return points > 1 ? points : 1;
}

/* Strings made before a failure are in launcher->owned, which nuce_launcher_fini frees. */
static nuce_status open_smpi(struct nuce_launcher *launcher, const struct nuce_campaign *campaign,
                             const char *const *starter, struct nuce_error *error)
{
    char *platform = nuce_text_format("%s/%s", campaign->path, NUCE_PLATFORM_FILE);
    char *hosts = nuce_text_format("%s/%s", campaign->path, NUCE_PLATFORM_HOSTS);
    char *facts = nuce_text_format("%s/%s", campaign->path, NUCE_PLATFORM_FACTS);
    char *precision = nuce_text_format("--cfg=surf/precision:%g", nuce_simulation_precision(facts));
    /* Computation is not charged, so only the network's time remains. */
    const char *const words[] = {nuce_simulation_starter(),
                                 "-np",
                                 NUCE_LAUNCHER_RANKS,
                                 "-platform",
                                 platform,
                                 "-hostfile",
                                 hosts,
                                 "--log=root.threshold:warning",
                                 "--cfg=smpi/simulate-computation:no",
                                 precision,
                                 NULL};

    (void)starter;
    launcher->owned[0] = platform;
    launcher->owned[1] = hosts;
    launcher->owned[2] = facts;
    launcher->owned[3] = nuce_simulation_programs(error);
    launcher->owned[4] = precision;
    launcher->facts = launcher->owned[2];
    launcher->programs = launcher->owned[3];
    if (launcher->programs == NULL)
        return error->status;
    if (nuce_launcher_take(launcher, words, error) != NUCE_OK)
        return error->status;
    return nuce_simulation_check(error);
}

const struct nuce_launcher_ops nuce_launcher_smpi = {
    .name = "smpi",
    .summary = "simulated on this machine",
    .kind = "simulated",
    .caps = NUCE_LAUNCHER_MEASURES,
    .most_points = smpi_most_points,
    .open = open_smpi,
};
