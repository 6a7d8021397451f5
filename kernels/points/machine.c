/* The machine as the kernel and the environment's variables describe it. Reads /proc and /sys; a
 * missing file makes the value null. */
#include "points/machine.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/known_variables.h"
#include "base/record.h"

extern char **environ;

/* Variables with these prefixes change measurements ... */
static const char *const settings[] = {
    "UCX_", "FI_", "MPIR_", "MPICH_", "OMPI_MCA_", "OMP_", "LD_PRELOAD=", "GLIBC_TUNABLES=", NULL};
/* ... except this one, which hydra sets to the node's name ... */
static const char node_name[] = "MPIR_CVAR_CH3_INTERFACE_HOSTNAME=";
/* ... and these identify the job. */
static const char *const job_variables[] = {"SLURM_", NULL};

json_t *nuce_machine_text(const char *text)
{
    char clean[4096];
    size_t length = 0;
    json_t *json = json_string(text);

    if (json != NULL)
        return json;
    for (; *text != '\0' && length + 1 < sizeof clean; text++)
        clean[length++] = (char)(isprint((unsigned char)*text) ? *text : '?');
    clean[length] = '\0';
    return json_string(clean);
}

/* The known variables (base/known_variables.h) with one of the prefixes, by name, as a new
 * object. The node's name is excluded: two nodes of one kind are one environment. */
static json_t *variables_of(const char *const *prefixes)
{
    json_t *found = json_object();

    for (char **entry = environ; *entry != NULL; entry++) {
        const char *equals = strchr(*entry, '=');

        for (int i = 0; prefixes[i] != NULL && equals != NULL; i++) {
            if (strncmp(*entry, prefixes[i], strlen(prefixes[i])) == 0 &&
                strncmp(*entry, node_name, strlen(node_name)) != 0)
                json_object_setn_new(found, *entry, (size_t)(equals - *entry),
                                     nuce_machine_text(equals + 1));
        }
    }
    nuce_known_variables_drop_others(found);
    return found;
}

/* The first line of a small file (key NULL), or the text after the colon in the first line that
 * begins with key; null if there is none. New reference. */
static json_t *line_of(const char *path, const char *key)
{
    FILE *file = fopen(path, "r");
    char line[512];
    json_t *found = NULL;

    while (file != NULL && found == NULL && fgets(line, sizeof line, file) != NULL) {
        const char *at = line;

        line[strcspn(line, "\n")] = '\0';
        if (key != NULL) {
            at = strncmp(line, key, strlen(key)) == 0 ? strchr(line, ':') : NULL;
            if (at == NULL)
                continue;
            at += 1 + strspn(at + 1, " \t");
        }
        found = nuce_machine_text(at);
    }
    if (file != NULL)
        fclose(file);
    return found == NULL ? json_null() : found;
}

json_t *nuce_machine_describe(void)
{
    struct timespec resolution = {0}; /* of the clock that nuce_clock reads */
    struct utsname system;
    cpu_set_t usable;

    clock_getres(CLOCK_MONOTONIC, &resolution);
    uname(&system);
    CPU_ZERO(&usable);
    sched_getaffinity(0, sizeof usable, &usable);
    return json_pack("{s:s, s:s, s:o, s:i, s:o, s:{s:s, s:f}, s:o}", "kernel", system.release,
                     "machine", system.machine, "processor", line_of("/proc/cpuinfo", "model name"),
                     "processors", CPU_COUNT(&usable), "governor",
                     line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL),
                     "clock", "name", "CLOCK_MONOTONIC", "resolution_s",
                     (double)resolution.tv_sec + 1e-9 * (double)resolution.tv_nsec, "variables",
                     variables_of(settings));
}

json_t *nuce_machine_facts(void)
{
    char now[NUCE_TIME_BYTES];
    double load; /* over the last minute, including our own start */

    return json_pack("{s:s, s:o, s:o}", "started", nuce_record_time_now(now), "load",
                     getloadavg(&load, 1) == 1 ? json_real(load) : json_null(), "variables",
                     variables_of(job_variables));
}

void nuce_machine_name_job(char job[NUCE_JOB_BYTES])
{
    const char *id = getenv("SLURM_JOB_ID"), *restart = getenv("SLURM_RESTART_COUNT");
    const char *step = getenv("SLURM_STEP_ID");
    char host[HOST_NAME_MAX + 1] = "";

    gethostname(host, sizeof host);
    if (id != NULL)
        snprintf(job, NUCE_JOB_BYTES, "slurm-%.32s-%.16s-%.16s-%lld", id,
                 restart == NULL ? "0" : restart, step == NULL ? "0" : step,
                 (long long)nuce_record_time_ms());
    else
        /* getpid under a simulator numbers the ranks. */
        snprintf(job, NUCE_JOB_BYTES, "local-%s-%ld-%lld", host, syscall(SYS_getpid),
                 (long long)nuce_record_time_ms());
}

double nuce_machine_busy_s(void)
{
    FILE *file = fopen("/proc/stat", "re");
    double user, nice, system, idle, iowait, irq, softirq, steal, busy = NAN;

    if (file != NULL && fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system,
                               &idle, &iowait, &irq, &softirq, &steal) == 8)
        busy = (user + nice + system + irq + softirq + steal) / (double)sysconf(_SC_CLK_TCK);
    if (file != NULL)
        fclose(file);
    return busy;
}
