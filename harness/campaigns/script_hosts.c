/* The file that says where each rank runs: on line i, counted from 0, the host of rank i, as srun's
 * --distribution=arbitrary reads it (SLURM_HOSTFILE in srun(1)). Lines behind those of the ranks of
 * a job are not read, so one file serves jobs of several sizes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaigns/script_parts.h"

/* A name of Slurm's NodeName, or of DNS: letters, digits, dots, hyphens and underscores. Lists such
 * as n[0-3] are refused: srun reads a host a line. */
static int is_host(const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789._-";

    return *name != '\0' && *name != '-' && strspn(name, allowed) == strlen(name);
}

/* Adds the host on a line, whose end is cut off; number counts from 1, for the message. */
static nuce_status add_host(json_t *hosts, const char *path, int number, char *line,
                            struct nuce_error *error)
{
    line[strcspn(line, "\r\n")] = '\0';
    if (!is_host(line))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s:%d:1: '%s': expected the name of a host",
                              path, number, line);
    if (json_array_append_new(hosts, json_string(line)) != 0)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for hosts");
    return NUCE_OK;
}

/* Adds the hosts of the first `ranks` lines. */
static nuce_status read_lines(FILE *file, const char *path, int ranks, json_t *hosts,
                              struct nuce_error *error)
{
    nuce_status status = NUCE_OK;
    size_t capacity = 0;
    char *line = NULL;
    int number = 0;

    while (status == NUCE_OK && number < ranks && getline(&line, &capacity, file) > 0)
        status = add_host(hosts, path, ++number, line, error);
    free(line);
    if (status == NUCE_OK && number < ranks)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: %d lines: expected the host of each of %d ranks", path, number,
                                ranks);
    return status;
}

json_t *nuce_script_rank_hosts(const char *path, int ranks, struct nuce_error *error)
{
    FILE *file = fopen(path, "re");
    nuce_status status;
    json_t *hosts;

    if (file == NULL) {
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    hosts = json_array();
    status = hosts != NULL ? read_lines(file, path, ranks, hosts, error)
                           : nuce_error_set(error, NUCE_FAILED, "out of memory for hosts");
    fclose(file);
    if (status != NUCE_OK) {
        json_decref(hosts);
        return NULL;
    }
    return hosts;
}

json_t *nuce_script_hosts(const char *path, int ranks, struct nuce_error *error)
{
    json_t *all = nuce_script_rank_hosts(path, ranks, error), *host;
    json_t *seen = json_object(), *hosts = json_array();
    int good = all != NULL && seen != NULL && hosts != NULL;
    size_t i;

    json_array_foreach(all, i, host)
    {
        const char *name = json_string_value(host);

        if (good && json_object_get(seen, name) == NULL)
            good = json_object_set_new(seen, name, json_true()) == 0 &&
                   json_array_append(hosts, host) == 0;
    }
    if (all != NULL && !good)
        nuce_error_set(error, NUCE_FAILED, "out of memory for hosts");
    json_decref(seen);
    json_decref(all);
    if (!good) {
        json_decref(hosts);
        return NULL;
    }
    return hosts;
}
