/* Processors: how many, how busy, how steady. None of it keeps nuce from measuring; all of it
 * decides how much a time is worth. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "campaigns/machine.h"
#include "commands/doctor_check.h"

/* Usable: by the affinity mask, which a container or a batch system may have narrowed. */
static void look_processors(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    int usable = nuce_machine_processors();

    (void)local;
    nuce_doctor_finding_set(finding, "ok",
                            "%d usable of %ld; more ranks than that are oversubscribed", usable,
                            sysconf(_SC_NPROCESSORS_ONLN));
}

/* What others do on this machine is in every time that is measured on it. More than half of the
 * processors busy is told; the kernels themselves look again during the rounds (found.others_cpus).
 * The load is the mean of the last minute (getloadavg(3)). */
static void look_load(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    int usable = nuce_machine_processors();
    double load = 0;

    (void)local;
    if (getloadavg(&load, 1) != 1)
        nuce_doctor_finding_set(finding, "missing", "the system does not say");
    else
        nuce_doctor_finding_set(finding, load > 0.5 * usable ? "wrong" : "ok",
                                "load average %.2f on %d processor%s", load, usable,
                                nuce_text_plural(usable));
}

/* Processor 0 stands for all. */
static void look_governor(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    char governor[64];

    (void)local;
    if (!nuce_doctor_read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
                               sizeof governor)) {
        nuce_doctor_finding_set(finding, "missing", "the kernel does not say (a virtual machine?)");
        finding->advice = "nothing to do in a virtual machine; elsewhere see that the frequency is "
                          "fixed: compare by ratio where it is not";
    } else if (strcmp(governor, "performance") == 0) {
        nuce_doctor_finding_set(finding, "ok", "performance");
    } else {
        nuce_doctor_finding_set(finding, "wrong", "%s: the frequency changes while measuring",
                                governor);
    }
}

const struct nuce_doctor_check nuce_doctor_processors[] = {
    {"processors", 0, "", look_processors},
    {"load", 0, "wait until the machine is idle, or measure elsewhere", look_load},
    {"governor", 0, "cpupower frequency-set --governor performance (as root)", look_governor},
    {0},
};
