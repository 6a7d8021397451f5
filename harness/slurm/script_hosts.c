/* The file that says where each rank runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script_parts.h"

static int is_host(const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789._-";

    return *name != '\0' && *name != '-' && strspn(name, allowed) == strlen(name);
}

/* Adds the host on a line to hosts, as a key: jansson keeps the order. */
static nuce_status add_host(json_t *hosts, const char *path, int number, char *line,
                            struct nuce_error *error)
{
    line[strcspn(line, "\r\n")] = '\0';
    if (!is_host(line))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s:%d:1: '%s': expected the name of a host",
                              path, number, line);
    if (json_object_set_new(hosts, line, json_true()) != 0)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for hosts");
    return NUCE_OK;
}

static nuce_status read_hosts(FILE *file, const char *path, int ranks, json_t *hosts,
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

json_t *nuce_script_hosts(const char *path, int ranks, struct nuce_error *error)
{
    FILE *file = fopen(path, "re");
    json_t *hosts, *names;
    nuce_status status;
    const char *host;
    json_t *value;

    if (file == NULL) {
        (void)nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    hosts = json_object();
    names = json_array();
    status = hosts != NULL && names != NULL
                 ? read_hosts(file, path, ranks, hosts, error)
                 : nuce_error_set(error, NUCE_FAILED, "out of memory for hosts");
    (void)fclose(file);
    json_object_foreach(hosts, host, value)
    {
        if (json_array_append_new(names, json_string(host)) != 0)
            status = nuce_error_set(error, NUCE_FAILED, "out of memory for hosts");
    }
    json_decref(hosts);
    if (status != NUCE_OK) {
        json_decref(names);
        return NULL;
    }
    return names;
}
