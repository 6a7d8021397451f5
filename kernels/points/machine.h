/* The machine and the settings of a run, as far as one process without MPI can tell. */
#ifndef NUCE_MACHINE_H
#define NUCE_MACHINE_H

#include <jansson.h>

/* Room for the longest name of a job. */
#define NUCE_JOB_BYTES 160

/* Conditions of comparable results: {"kernel","machine","processor","processors","governor",
 * "clock":{"name","resolution_s"},"variables":{settings of MPI libraries and OpenMP}}. A new
 * reference. */
json_t *nuce_machine_describe(void);

/* Facts of this job alone: {"started","load","variables":{of Slurm}}. A new reference. */
json_t *nuce_machine_facts(void);

/* A unique name of a job. Under Slurm: job id, restart count, step and milliseconds, because an
 * mpiexec may start several in one step. Else: host, process and milliseconds. */
void nuce_machine_name_job(char job[NUCE_JOB_BYTES]);

/* A new string. Text that is not UTF-8, which JSON cannot hold, is reduced to its ASCII
 * characters. */
json_t *nuce_machine_text(const char *text);

/* Seconds; over shorter times the work of the machine is a few ticks, and says nothing. */
#define NUCE_MACHINE_LEAST_S 0.2

/* Processor seconds of work since the boot, of all processes (/proc/stat, proc(5)): user, nice,
 * system, irq, softirq and steal. Idle and iowait are no work; user includes guests. NAN: the
 * system does not report it. */
double nuce_machine_busy_s(void);

#endif
