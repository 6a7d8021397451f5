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

json_t *nuce_script_rank_hosts(const char *path, int ranks, struct nuce_error *error)
{
    FILE *file = fopen(path, "re");
    json_t *hosts;
    size_t capacity = 0;
    char *line = NULL;
    int number = 0;

    if (file == NULL) {
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    hosts = json_array();
    error->status = NUCE_OK;
    while (error->status == NUCE_OK && number < ranks && getline(&line, &capacity, file) > 0) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        if (is_host(line))
            json_array_append_new(hosts, json_string(line));
        else
            nuce_error_set(error, NUCE_BAD_INPUT, "%s:%d:1: '%s': expected the name of a host",
                           path, number, line);
    }
    if (error->status == NUCE_OK && number < ranks)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %d lines: expected the host of each of %d ranks",
                       path, number, ranks);
    free(line);
    fclose(file);
    if (error->status == NUCE_OK)
        return hosts;
    json_decref(hosts);
    return NULL;
}

json_t *nuce_script_hosts(const char *path, int ranks, struct nuce_error *error)
{
    json_t *all = nuce_script_rank_hosts(path, ranks, error), *host;
    json_t *seen, *hosts;
    size_t i;

    if (all == NULL)
        return NULL;
    seen = json_object();
    hosts = json_array();
    json_array_foreach(all, i, host)
    {
        if (json_object_get(seen, json_string_value(host)) != NULL)
            continue;
        json_object_set_new(seen, json_string_value(host), json_true());
        json_array_append(hosts, host);
    }
    json_decref(seen);
    json_decref(all);
    return hosts;
}
