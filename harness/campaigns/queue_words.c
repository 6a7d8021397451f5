/* Slurm's states and reasons in words. squeue(1), "JOB REASON CODES" and "JOB STATE CODES".
 *
 * A table, since each version of Slurm adds some: what is not in it is shown as Slurm writes it.
 * What is decided by a state (live, ending, rejected) stands at the end, and is decided by the
 * names of states alone, never by reasons. */
#include <string.h>

#include "campaigns/queue.h"

/* A state or reason of Slurm and what users read in its place. */
struct queue_words {
    const char *text; /* a star stands for anything */
    const char *words;
};

/* The first that matches counts. So a pattern with a star stands behind the names that it would
 * catch. */
static const struct queue_words table[] = {
    {"PENDING", "waits"},
    {"CONFIGURING", "its nodes are being made ready"},
    {"RUNNING", "runs"},
    {"COMPLETING", "is ending"},
    {"STAGE_OUT", "copies its files out"},
    {"SUSPENDED", "is suspended"},
    {"STOPPED", "is stopped"},
    {"SIGNALING", "is being signalled"},
    {"RESIZING", "changes its size"},
    {"REQUEUED", "waits to start again"},
    {"REQUEUE_HOLD", "held after it was requeued (scontrol release)"},
    {"REQUEUE_FED", "waits to start again"},
    {"SPECIAL_EXIT", "held after it was requeued (scontrol release)"},
    {"RESV_DEL_HOLD", "held: its reservation was deleted"},
    {"REVOKED", "another cluster runs it"},
    {"COMPLETED", "ended well"},
    {"FAILED", "ended with an error"},
    {"TIMEOUT", "reached its time limit"},
    {"DEADLINE", "reached its deadline"},
    {"CANCELLED", "was cancelled"},
    {"PREEMPTED", "was stopped in favour of another job"},
    {"NODE_FAIL", "a node failed"},
    {"BOOT_FAIL", "a node could not be booted"},
    {"LAUNCH_FAILED", "could not be started on its nodes"},
    {"RECONFIG_FAIL", "a node could not be configured"},
    {"OUT_OF_MEMORY", "ran out of memory"},

    {"Priority", "jobs with a higher priority come first"},
    {"Resources", "waits for nodes that are free"},
    {"Dependency", "waits for another job to end"},
    {"DependencyNeverSatisfied", "never starts: what it waits for cannot happen"},
    {"BeginTime", "its earliest start time is not reached"},
    {"JobArrayTaskLimit", "as many tasks of its array run as may at one time"},
    {"JobHeldUser", "held by its user (scontrol release)"},
    {"JobHeldAdmin", "held by an administrator"},
    {"JobHoldMaxRequeue", "held: was requeued too often"},
    {"PartitionTimeLimit", "asks for more time than the partition gives"},
    {"PartitionNodeLimit", "asks for more or fewer nodes than the partition gives"},
    {"PartitionDown", "the partition is down"},
    {"PartitionInactive", "the partition starts no jobs now"},
    {"PartitionConfig", "asks for what the partition does not have"},
    {"AccountNotAllowed", "its account may not use the partition"},
    {"QOSNotAllowed", "its QOS may not be used there"},
    {"InvalidAccount", "its account does not exist"},
    {"InvalidQOS", "its QOS does not exist"},
    {"BadConstraints", "never starts: no nodes are as it wants them"},
    {"ReqNodeNotAvail*", "nodes that it needs are down, drained or reserved"},
    {"NodeDown", "a node that it needs is down"},
    {"Reservation*", "waits for its reservation"},
    {"Licenses", "waits for a licence"},
    {"Cleaning", "its last start is still being cleaned up"},
    {"Prolog", "the cluster prepares its nodes"},
    {"WaitingForScheduling", "the scheduler has not looked at it yet"},
    {"launch failed requeued held", "held: could not be started on its nodes (scontrol release)"},
    {"QOSMaxJobsPerUserLimit", "as many jobs run as its QOS allows a user"},
    {"QOSMaxSubmitJobPerUserLimit", "as many jobs are submitted as its QOS allows a user"},
    {"QOSMaxWallDurationPerJobLimit", "asks for more time than its QOS gives"},
    {"QOSUsageThreshold", "its QOS wants a higher fair share"},
    {"QOSMaxWall*", "asks for more time than its QOS gives"},
    {"QOSMax*", "asks for, or its user has, more than its QOS allows"},
    {"QOSMin*", "asks for less than its QOS wants"},
    {"QOS*", "everything that its QOS allows is in use"},
    {"MaxCpuPerAccount", "its account uses as many processors as its QOS allows"},
    {"Max*PerAccount*", "its account uses as much as its QOS allows"},
    {"AssocMaxJobsLimit", "as many jobs run as its account allows"},
    {"AssocMaxWall*", "asks for more time than its account gives"},
    {"AssocMax*", "asks for more than its account allows"},
    {"AssocGrp*Minutes*", "its account has used up its time"},
    {"AssocGrpCpuLimit", "its account uses as many processors as it may"},
    {"AssocGrp*", "everything that its account allows is in use"},
    {"Association*", "its account is at a limit"},
    {"JobLaunchFailure", "could not be started on its nodes"},
    {"NonZeroExitCode", "ended with an error"},
    {"RaisedSignal:53*", "could not open its log, or go to its folder"},
    {"RaisedSignal*", "was ended by a signal"},
    {"TimeLimit", "reached its time limit"},
    {"SystemFailure", "the cluster failed"},
    {"InactiveLimit", "was inactive for too long"},
    {"OutOfMemory", "ran out of memory"},
};

/* Whether text fits pattern, in which each star stands for anything. */
static int queue_words_fits(const char *pattern, const char *text)
{
    const char *star = strchr(pattern, '*');
    size_t length = star != NULL ? (size_t)(star - pattern) : strlen(pattern);

    if (strncmp(pattern, text, length) != 0)
        return 0;
    if (star == NULL)
        return text[length] == '\0';
    for (text += length;; text++) {
        if (star[1] == '\0' || queue_words_fits(star + 1, text))
            return 1;
        if (*text == '\0')
            return 0;
    }
}

const char *nuce_queue_words(const char *text)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (queue_words_fits(table[i].text, text))
            return table[i].words;
    }
    return text;
}

int nuce_queue_is_live(const char *state)
{
    static const char *const ended[] = {
        "COMPLETED", "FAILED",    "TIMEOUT",       "DEADLINE",      "CANCELLED",    "PREEMPTED",
        "NODE_FAIL", "BOOT_FAIL", "LAUNCH_FAILED", "RECONFIG_FAIL", "OUT_OF_MEMORY"};

    for (size_t i = 0; i < sizeof ended / sizeof *ended; i++) {
        /* Some versions write "CANCELLED by 1000" or "CANCELLED+". */
        if (strncmp(state, ended[i], strlen(ended[i])) == 0)
            return 0;
    }
    return 1;
}

/* A job that ran has nodes even when it has ended. */
int nuce_queue_is_rejected(const struct nuce_queue_job *job)
{
    return strcmp(job->state, "FAILED") == 0 && *job->nodes == '\0';
}

int nuce_queue_is_ending(const char *state)
{
    return strcmp(state, "COMPLETING") == 0;
}
