/* The NETWORK FILE that `links` leaves behind in a folder, under a name that tells when it was
 * measured. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"
#include "programs/links.h"

/* Digits of the bandwidths' SHA-256 in the name, so that two measurements of one second are two
 * files. */
#define HASH_SHOWN 8

nuce_status nuce_links_check_folder(const char *folder, struct nuce_error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--networks '%s': cannot make the folder: %s",
                              folder, strerror(errno));
    if (access(folder, W_OK | X_OK) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--networks '%s': %s: expected a folder that network files can be "
                              "written to",
                              folder, strerror(errno));
    return NUCE_OK;
}

/* The time without what stands between its numbers: 20250131T120000Z. */
static void shorten_time(const char *time, char out[NUCE_TIME_BYTES])
{
    for (; *time != '\0'; time++) {
        if (*time != '-' && *time != ':')
            *out++ = *time;
    }
    *out = '\0';
}

/* A file that is there already is not replaced: points name network files, and what they name must
 * stay what it was. */
nuce_status nuce_links_write(const struct nuce_network *network, const char *folder, char **path,
                             struct nuce_error *error)
{
    size_t pairs = (size_t)network->ranks * (size_t)network->ranks;
    char time[NUCE_TIME_BYTES], hash[NUCE_HASH_BYTES];
    char *file;

    shorten_time(network->measured, time);
    if (nuce_hash(network->pair_bandwidth, pairs * sizeof(double), hash, error) != NUCE_OK)
        return error->status;
    file = nuce_text_format("%s/%s-%.*s.network", folder, time, HASH_SHOWN, hash);
    error->status = NUCE_OK;
    if (access(file, F_OK) == 0)
        nuce_error_set(error, NUCE_FAILED, "%s: is there already", file);
    if (error->status != NUCE_OK || nuce_network_write(network, file, error) != NUCE_OK) {
        free(file);
        return error->status;
    }
    *path = file;
    return NUCE_OK;
}
