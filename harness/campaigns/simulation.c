/* Platforms: checks that SimGrid is available and accepts one. SimGrid itself decides:
 * nuce-platform runs under smpirun and visits all hosts and routes. This code simulates nothing;
 * the launcher `smpi` does that. */
#include "campaigns/simulation.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/process.h"

/* Folder of the programs built on SMPI, relative to that of nuce. */
#define PROGRAMS "../libexec/nuce/simulated"

/* Enough for a platform of thousands of hosts, all of whose routes are visited. */
#define CHECK_SECONDS 60

nuce_status nuce_simulation_check(struct nuce_error *error)
{
    char *path;
    int found;

    if (*NUCE_SMPIRUN != '\0' && access(NUCE_SMPIRUN, X_OK) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--platform: %s: %s: nuce was built with SimGrid, which is gone "
                              "(Debian: apt install libsimgrid-dev)",
                              NUCE_SMPIRUN, strerror(errno));
    path = nuce_data_program_path(PROGRAMS "/nuce-platform", error);
    if (path == NULL)
        return error->status;
    found = *NUCE_SMPIRUN != '\0' && access(path, X_OK) == 0;
    free(path);
    if (found)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "--platform: nuce was built without SimGrid: install it (Debian: apt "
                          "install libsimgrid-dev) and build nuce again");
}

/* Default precision: message ends within this time count as one. From MANY_RANKS ranks on it is
 * COARSE_S, because the solver visits all messages under way for each separate end. 1 024 ranks
 * with 16 messages each: 111 s instead of more than 7 minutes. Times of 64 ranks differ by 0.1 %
 * with 1 KiB, and by 0.7 % at most with 16 bytes. */
#define MANY_RANKS 256
#define FINE_S 1e-9
#define COARSE_S 1e-8

double nuce_simulation_precision(const char *facts)
{
    json_t *object = json_load_file(facts, 0, NULL);
    const json_t *value = json_object_get(json_object_get(object, "cluster"), "precision_s");
    double precision = json_is_number(value) ? json_number_value(value) : FINE_S;

    json_decref(object);
    return precision;
}

/* The platform is read as a string; a NUL byte would end it, but no XML has one. SimGrid checks it,
 * and prints the names of its hosts, one per line. The facts go into every record, as part of the
 * machine. */
nuce_status nuce_simulation_prepare(const char *path, int ranks, double precision_s,
                                    struct nuce_machine_files *out, struct nuce_error *error)
{
    double taken_s = precision_s > 0 ? precision_s : ranks < MANY_RANKS ? FINE_S : COARSE_S;
    const char *name = basename(path);
    char hash[NUCE_HASH_BYTES], number[16], precision[32], *program;
    struct nuce_process_reply reply = {0};
    json_t *argv, *facts;

    *out = (struct nuce_machine_files){0};
    if (nuce_simulation_check(error) != NUCE_OK ||
        nuce_data_check_file(path, "a SimGrid platform", error) != NUCE_OK ||
        nuce_text_read(path, &out->platform, NULL, error) != NUCE_OK)
        return error->status;
    if (*out->platform == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: empty; expected a SimGrid platform",
                              path);
    program = nuce_data_program_path(PROGRAMS "/nuce-platform", error);
    if (program == NULL)
        return error->status;
    snprintf(number, sizeof number, "%d", ranks);
    snprintf(precision, sizeof precision, "%g", precision_s);
    argv = nuce_process_argv(NULL, NUCE_SMPIRUN, "-np", "1", "-platform", path,
                             "--log=root.threshold:warning", "--log=root.fmt:%m%n", program, path,
                             number, precision, NULL);
    error->status = nuce_process_run(argv, CHECK_SECONDS, &reply, error);
    if (error->status == NUCE_OK && !nuce_process_succeeded(&reply))
        nuce_error_set(error, NUCE_BAD_INPUT, "--platform: %s%s%s",
                       strstr(reply.err, path) == NULL ? path : "",
                       strstr(reply.err, path) == NULL ? ": " : "", reply.err);
    if (error->status == NUCE_OK)
        out->hosts = nuce_text_duplicate(reply.out);
    nuce_process_reply_fini(&reply);
    json_decref(argv);
    free(program);
    if (error->status != NUCE_OK)
        return error->status;
    nuce_hash(out->platform, strlen(out->platform), hash);
    facts = json_pack("{s:{s:s,s:s,s:f}}", "cluster", "platform", name, "platform_sha256", hash,
                      "precision_s", taken_s);
    if (facts == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: a name that is not valid UTF-8", path);
    out->facts = json_dumps(facts, JSON_COMPACT);
    json_decref(facts);
    return NUCE_OK;
}

const char *nuce_simulation_starter(void)
{
    return NUCE_SMPIRUN;
}

char *nuce_simulation_programs(struct nuce_error *error)
{
    return nuce_data_program_path(PROGRAMS, error);
}
