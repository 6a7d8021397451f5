/* The software and hardware of a run, in two parts. Things that may change results (program,
 * compiler, MPI library, processor, clock governor, settings in the environment) are
 * "described". The hash of the description names the environment: only runs of one environment
 * are compared without a remark. Things of this job alone (hosts, load, the job's number) are
 * among the facts. Rank 0 describes; other ranks only contribute the host's name and the
 * program's hash. */
#include "run/environment.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/jsonl.h"
#include "base/text.h"
#include "build.h"
#include "points/libraries.h"
#include "points/machine.h"
#include "revision.h"
#include "run/check.h"
#include "run/control.h"
#include "run/counters.h"
#include "run/simulation.h"
#include "run/world.h"

/* The text after key in the library's own description, up to the end of the line. MPICH's have the
 * form "MPICH Device:    ch4:ucx". New reference. */
static json_t *library_line(const char *text, const char *key)
{
    char line[256];

    return nuce_text_line(text, key, line, sizeof line) ? nuce_machine_text(line) : json_null();
}

/* The conditions under which results are comparable; program: its SHA-256. New reference. The
 * order of keys does not matter, because they are sorted before they are hashed. A new key makes
 * new environments of all. */
static json_t *environment_describe(const char *program)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0, version = 0, subversion = 0;
    json_t *described = nuce_machine_describe(), *mpi, *own;

    NUCE_MPI(MPI_Get_library_version(text, &length));
    NUCE_MPI(MPI_Get_version(&version, &subversion));
    mpi = json_pack("{s:o, s:o, s:i, s:i}", "library", library_line(text, ""), "device",
                    library_line(text, "MPICH Device:"), "version", version, "subversion",
                    subversion);
    own = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s}", "nuce", NUCE_VERSION, "revision",
                    NUCE_REVISION, "compiler", NUCE_COMPILER, "flags", NUCE_COMPILER_FLAGS, "mpi",
                    mpi, "libraries", nuce_libraries_describe(), "papi", nuce_counters_describe(),
                    "program", program);
    if (json_object_update_new(described, own) == 0)
        return described;
    json_decref(described);
    return NULL;
}

#define HOST_BYTES (HOST_NAME_MAX + 1)

/* The SHA-256 of the program, because the revision of its sources does not always identify it.
 * It is the same on all ranks, or they fail: nodes may have copies of their own, and one may be
 * old. Collective over the world. */
static nuce_status hash_program(struct nuce_world *world, char program[NUCE_HASH_BYTES],
                                struct nuce_error *error)
{
    char first[NUCE_HASH_BYTES] = "", host[HOST_BYTES] = "";
    nuce_status status = nuce_hash_file(world->program, program, error);

    if (status != NUCE_OK)
        status = error->status = NUCE_FAILED;
    else
        memcpy(first, program, sizeof first);
    nuce_world_broadcast(world, first, sizeof first);
    gethostname(host, sizeof host);
    if (status == NUCE_OK && strcmp(program, first) != 0)
        status = nuce_error_set(error, NUCE_FAILED,
                                "the program on %s is not rank 0's: its SHA-256 is %s, expected %s",
                                host, program, first);
    return nuce_world_agree(world, status, error);
}

/* A rank's own facts; sent as bytes. */
struct affinity_mask {
    cpu_set_t usable;
    int has_all; /* all online processors of its node */
    int rank;
};

/* "0-3,8". New reference. */
static json_t *mask_text(const cpu_set_t *mask)
{
    char text[512] = "";
    size_t length = 0;

    for (size_t first = 0, end; first < CPU_SETSIZE && length < sizeof text; first = end) {
        for (end = first; end < CPU_SETSIZE && CPU_ISSET(end, mask); end++)
            ;
        if (end == first)
            end++;
        else
            length += (size_t)snprintf(&text[length], sizeof text - length,
                                       end - first > 1 ? "%s%zu-%zu" : "%s%zu",
                                       length > 0 ? "," : "", first, end - 1);
    }
    return json_string(text);
}

static int by_host(const void *left, const void *right, void *hosts)
{
    const struct affinity_mask *a = left, *b = right;

    return strcmp(json_string_value(json_array_get(hosts, (size_t)a->rank)),
                  json_string_value(json_array_get(hosts, (size_t)b->rank)));
}

/* True if no two ranks of a node may use the same processor; masks are sorted by host. */
static int are_apart(const struct affinity_mask *masks, int ranks, const json_t *hosts)
{
    cpu_set_t taken, both;

    for (int i = 0; i < ranks; i++) {
        if (i == 0 || by_host(&masks[i - 1], &masks[i], (void *)hosts) != 0)
            CPU_ZERO(&taken);
        CPU_AND(&both, &taken, &masks[i].usable);
        if (CPU_COUNT(&both) > 0)
            return 0;
        CPU_OR(&taken, &taken, &masks[i].usable);
    }
    return 1;
}

/* The record's "affinity", the processors of the ranks: at rank 0 a new object, NULL elsewhere
 * and if ranks are simulated: {"binding":"whole node" | "own" | "shared","fewest":N,"most":N}.
 * fewest and most: the number of processors that a rank may run on. binding: every rank may use
 * all of its node; no two ranks of a node share one; or some do. A launcher may bind all ranks
 * of a node to one processor, or give each its own. Each rank has one processor in both cases,
 * so only comparing the masks distinguishes them. The number of ranks is excluded, because an
 * environment holds for all rank counts. *masks: a list of the processors of each rank, "0-3,8",
 * in the same way. hosts: names by rank, at rank 0. Collective over the world. */
static json_t *describe_affinity(struct nuce_world *world, const json_t *hosts, json_t **masks)
{
    struct affinity_mask mine, *all = NULL;
    int fewest = CPU_SETSIZE, most = 0, whole = 1;
    const char *binding;

    *masks = NULL;
    if (nuce_simulation_is_on())
        return NULL;
    memset(&mine, 0, sizeof mine);
    sched_getaffinity(0, sizeof mine.usable, &mine.usable);
    mine.has_all = CPU_COUNT(&mine.usable) >= sysconf(_SC_NPROCESSORS_ONLN);
    mine.rank = world->rank;
    if (world->rank == 0)
        all = nuce_allocate(world->size, sizeof *all);
    nuce_control_gather(world, &mine, (int)sizeof mine, MPI_BYTE, all, world->control);
    if (world->rank != 0)
        return NULL;
    *masks = json_array();
    for (int i = 0; i < world->size; i++) {
        int count = CPU_COUNT(&all[i].usable);

        fewest = count < fewest ? count : fewest;
        most = count > most ? count : most;
        whole &= all[i].has_all;
        json_array_append_new(*masks, mask_text(&all[i].usable));
    }
    qsort_r(all, (size_t)world->size, sizeof *all, by_host, (void *)hosts);
    binding = whole ? "whole node" : are_apart(all, world->size, hosts) ? "own" : "shared";
    free(all);
    return json_pack("{s:s, s:i, s:i}", "binding", binding, "fewest", fewest, "most", most);
}

/* The environment's id is the SHA-256 of the description, written compactly with sorted keys.
 * Readers of records compute it again and compare (nuce_record_check_job). */
nuce_status nuce_environment_init(struct nuce_world *world, const struct nuce_launch *launch,
                                  struct nuce_environment *out, struct nuce_error *error)
{
    struct nuce_environment environment = {0};
    char program[NUCE_HASH_BYTES];
    nuce_status status = hash_program(world, program, error);
    char host[HOST_BYTES] = "", *all = NULL, *text;
    json_t *hosts = NULL, *affinity, *masks, *told = NULL; /* hosts: names by rank, at rank 0 */

    if (status != NUCE_OK)
        return status;
    nuce_simulation_host(host, sizeof host);
    if (world->rank == 0) {
        hosts = json_array();
        all = nuce_allocate(world->size, HOST_BYTES);
    }
    nuce_control_gather(world, host, HOST_BYTES, MPI_CHAR, all, world->control);
    for (int rank = 0; world->rank == 0 && rank < world->size; rank++)
        json_array_append_new(hosts, nuce_machine_text(all + (size_t)rank * HOST_BYTES));
    free(all);
    affinity = describe_affinity(world, hosts, &masks);
    if (world->rank == 0) {
        environment.described = environment_describe(program);
        environment.facts = nuce_machine_facts();
        json_object_set_new(environment.facts, "hosts", hosts);
        json_object_set_new(environment.facts, "ranks", json_integer(world->size));
        nuce_machine_name_job(environment.job);
        if (launch->hosts != NULL)
            status = nuce_launch_check_hosts(launch->hosts, hosts, error);
        if (status == NUCE_OK && launch->facts != NULL &&
            (told = nuce_launch_read_facts(launch->facts, error)) == NULL)
            status = error->status;
        /* An unreported value stays absent, so such environments keep their earlier form. */
        json_object_set(environment.described, "affinity", affinity);
        json_object_set(environment.described, "cluster", json_object_get(told, "cluster"));
        json_object_set(environment.facts, "launch", json_object_get(told, "launch"));
        json_object_set(environment.facts, "masks", masks);
        text = json_dumps(environment.described, JSON_COMPACT | JSON_SORT_KEYS);
        if (status == NUCE_OK && text == NULL)
            status =
                nuce_error_set(error, NUCE_FAILED, "the environment cannot be written as JSON");
        if (status == NUCE_OK)
            nuce_hash(text, strlen(text), environment.id);
        free(text);
    }
    json_decref(told);
    json_decref(affinity);
    json_decref(masks);
    if (nuce_world_agree(world, status, error) != NUCE_OK) {
        nuce_environment_fini(&environment);
        return error->status;
    }
    *out = environment;
    return NUCE_OK;
}

void nuce_environment_fini(struct nuce_environment *environment)
{
    json_decref(environment->described);
    json_decref(environment->facts);
    memset(environment, 0, sizeof *environment);
}

/* The launcher's notes for the program: a file of facts, which go into the record, and a file of
 * hosts. Each rank is checked to run on its host: on other nodes, or in another order, the
 * record would describe another machine. */

/* Accepts only the two keys that the launcher writes, each an object. An unknown key would be
 * dropped silently, so it is refused. */
static nuce_status check_fact(const char *path, const char *key, const json_t *value,
                              struct nuce_error *error)
{
    static const char *const keys[] = {"cluster", "launch"};
    const char *nearest;
    char *text;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(key, keys[i]) != 0)
            continue;
        if (json_is_object(value))
            return NUCE_OK;
        text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s: '%.40s': expected an object", path, key,
                       text == NULL ? "" : text);
        free(text);
        return error->status;
    }
    nearest = nuce_text_nearest(key, keys, sizeof keys / sizeof *keys);
    if (nearest != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: unknown key '%.40s' (did you mean '%s'?)",
                              path, key, nearest);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "%s: unknown key '%.40s': expected 'cluster' or 'launch'", path, key);
}

/* The file comes from a launcher of ours but may be written by hand, so every mistake is
 * reported with its place. Facts are rounded as in a record, with as many digits of reals. The
 * hash of the description is taken of this, so a reader computes the same hash. */
json_t *nuce_launch_read_facts(const char *path, struct nuce_error *error)
{
    json_error_t problem;
    json_t *facts, *value, *recorded;
    const char *key;
    char *text;

    if (nuce_data_check_file(path, "a JSON object of facts", error) != NUCE_OK)
        return NULL;
    facts = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (facts == NULL) {
        nuce_error_set(error, NUCE_BAD_INPUT, "%s; expected a JSON object", problem.text);
        nuce_error_at(error, path, problem.line, problem.column);
        return NULL;
    }
    error->status = NUCE_OK;
    if (!json_is_object(facts))
        nuce_error_set(error, NUCE_BAD_INPUT, "%s:1:1: an array; expected a JSON object", path);
    json_object_foreach(facts, key, value)
    {
        if (error->status == NUCE_OK)
            check_fact(path, key, value, error);
    }
    if (error->status != NUCE_OK) {
        json_decref(facts);
        return NULL;
    }
    text = json_dumps(facts, JSON_COMPACT | JSON_REAL_PRECISION(NUCE_JSONL_PRECISION));
    recorded = json_loads(text, 0, NULL);
    free(text);
    json_decref(facts);
    return recorded;
}

/* Reads a name per line, rank 0's first, of visible characters: names are compared, not looked up.
 * Empty lines are allowed only at the end of the file: in the middle they would shift all later
 * ranks. */
static nuce_status read_names(const char *path, json_t *names, struct nuce_error *error)
{
    nuce_status status = nuce_data_check_file(path, "one host name a line", error);
    FILE *file = status == NUCE_OK ? fopen(path, "r") : NULL;
    long long blank = 0; /* number of the first of the preceding empty lines; 0: none */
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;

    if (status != NUCE_OK)
        return status;
    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    for (long long number = 1; status == NUCE_OK && (length = getline(&line, &capacity, file)) >= 0;
         number++) {
        if (length > 0 && line[length - 1] == '\n')
            line[--length] = '\0';
        if (length == 0) {
            blank = blank == 0 ? number : blank;
            continue;
        }
        if (blank != 0) {
            nuce_error_set(error, NUCE_BAD_INPUT, "the line is empty; expected a host name");
            status = nuce_error_at(error, path, blank, 0);
        }
        for (ssize_t i = 0; status == NUCE_OK && i < length; i++) {
            if (!isgraph((unsigned char)line[i])) {
                nuce_error_set(error, NUCE_BAD_INPUT, "'%.80s': expected one host name", line);
                status = nuce_error_at(error, path, number, 0);
            }
        }
        json_array_append_new(names, json_stringn(line, (size_t)length));
    }
    if (status == NUCE_OK && !feof(file))
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return status;
}

/* True if two names may be of one host: with and without its domain. */
static bool is_same_host(const char *a, const char *b)
{
    size_t length = strcspn(a, ".");

    if (a[length] == '.' && strchr(b, '.') != NULL)
        return strcmp(a, b) == 0;
    return length == strcspn(b, ".") && strncmp(a, b, length) == 0;
}

/* Returns NUCE_FAILED, not NUCE_BAD_INPUT: the files are right, the ranks are in the wrong
 * place, and another launch may succeed. */
nuce_status nuce_launch_check_hosts(const char *path, const json_t *hosts, struct nuce_error *error)
{
    json_t *names = json_array();
    nuce_status status = read_names(path, names, error);
    size_t ranks = json_array_size(hosts);

    if (status == NUCE_OK && json_array_size(names) != ranks)
        status =
            nuce_error_set(error, NUCE_FAILED, "%s: %zu host names; expected %zu, one per rank",
                           path, json_array_size(names), ranks);
    for (size_t rank = 0; status == NUCE_OK && rank < ranks; rank++) {
        const char *expected = json_string_value(json_array_get(names, rank));
        const char *host = json_string_value(json_array_get(hosts, rank));

        if (!is_same_host(host, expected))
            status = nuce_error_set(error, NUCE_FAILED, "%s:%zu: rank %zu runs on %s, expected %s",
                                    path, rank + 1, rank, host, expected);
    }
    json_decref(names);
    return status;
}
