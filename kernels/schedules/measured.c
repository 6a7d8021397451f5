/* Finds the network that was measured last on the hosts of a program, among the files of a folder.
 * For all files only the place and the time of the measurement are read; the chosen one is read
 * completely.
 *
 * Cost: every file is read from the disk, but only one word of each of its ranks^2 lines is
 * checked. Hosts are compared with hosts, O(ranks of the file x our ranks) for each file that is
 * newer than the best so far. One process does this: rank 0 sends the network to the others
 * (run/shared_network.c). */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/text.h"
#include "base/text_file.h"
#include "schedules/network.h"

/* Largest number of files, as every one is read: a folder with more does not hold networks. */
#define FILES_MOST 4096

#define ENDING ".network"

/* The most characters of the hosts in a message. */
#define HOSTS_SHOWN 200

/* The best file so far, and the first error of others. slot and tried are exchanged when a file
 * becomes the best, so that neither is copied. */
struct measured_search {
    const char *folder;
    const char *const *hosts;
    int ranks;
    char *path; /* path of the best so far, or NULL */
    char *text; /* its content */
    size_t length;
    char measured[NUCE_TIME_BYTES];
    int *slot;                   /* ranks: for each of our ranks its rank in that file */
    int *tried;                  /* ranks: the same for the current file */
    int passed_over;             /* number of unreadable files */
    struct nuce_error complaint; /* the error of the first of them */
};

/* scandir's filter: skips hidden files, which may be half written. */
static int is_network(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && nuce_text_ends(entry->d_name, ENDING);
}

/* True if network was measured on our hosts, no earlier than the best so far; tried is the
 * assignment. */
static int measured_covers(const struct measured_search *search, const struct nuce_network *network)
{
    unsigned char *taken;
    int covers = network->host != NULL;

    if (network->measured[0] == '\0' ||
        (search->path != NULL && strcmp(network->measured, search->measured) < 0))
        return 0;
    taken = nuce_allocate(network->ranks, 1);
    for (int i = 0; i < search->ranks && covers; i++) {
        int k = 0; /* first free rank on that host */

        while (k < network->ranks &&
               (taken[k] || strcmp(network->host[k].name, search->hosts[i]) != 0))
            k++;
        covers = k < network->ranks;
        if (covers)
            taken[k] = 1;
        search->tried[i] = k;
    }
    free(taken);
    return covers;
}

/* Makes the file the best so far if it is. An unreadable file is skipped, because it must not hide
 * a good one. The error of the first of them is reported if no file fits. */
static nuce_status measured_look_at(struct measured_search *search, const char *name,
                                    struct nuce_error *error)
{
    struct nuce_network network = {0};
    char *path = nuce_text_format("%s/%s", search->folder, name), *text = NULL;
    int *slot = search->slot;
    size_t length = 0;
    nuce_status status = nuce_data_check_file(path, "a network file", error);

    if (status == NUCE_OK)
        status = nuce_text_read(path, &text, &length, error);
    if (status == NUCE_OK)
        status = nuce_network_parse_origin(path, text, length, &network, error);
    if (status == NUCE_OK && measured_covers(search, &network)) {
        free(search->path);
        free(search->text);
        search->path = path;
        search->text = text;
        search->length = length;
        path = text = NULL;
        memcpy(search->measured, network.measured, sizeof search->measured);
        search->slot = search->tried;
        search->tried = slot;
    }
    if (status == NUCE_BAD_INPUT && search->passed_over++ == 0)
        search->complaint = *error;
    nuce_network_fini(&network);
    free(path);
    free(text);
    return status == NUCE_BAD_INPUT ? NUCE_OK : status;
}

/* Reports the searched folder, the hosts and the way to make such a file. Hosts are separated by
 * commas, each once per row of equal ones. */
static nuce_status report_none(struct measured_search *search, struct nuce_error *error)
{
    char list[HOSTS_SHOWN] = "", passed_over[NUCE_MESSAGE_BYTES + 64] = "";
    size_t length = 0;

    for (int i = 0; i < search->ranks && length < sizeof list; i++) {
        if (i == 0 || strcmp(search->hosts[i], search->hosts[i - 1]) != 0)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       i > 0 ? "," : "", search->hosts[i]);
    }
    if (length >= sizeof list)
        memcpy(list + sizeof list - sizeof "...", "...", sizeof "...");
    if (search->passed_over > 0)
        snprintf(passed_over, sizeof passed_over, " (cannot be read: %d, the first: %s)",
                 search->passed_over, nuce_error_flatten(&search->complaint));
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "%s: no network was measured for %d ranks on %s: run 'nuce-calibrate "
                          "links' there%s",
                          search->folder, search->ranks, list, passed_over);
}

nuce_status nuce_network_measured(const char *folder, const char *const *hosts, int ranks,
                                  struct nuce_network *out, char **path_out,
                                  struct nuce_error *error)
{
    struct measured_search search = {.folder = folder, .hosts = hosts, .ranks = ranks};
    struct nuce_network whole = {0};
    struct dirent **names = NULL;
    int count = scandir(folder, &names, is_network, alphasort);
    nuce_status status = NUCE_OK;

    if (count < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: %s: expected a folder of networks that 'nuce-calibrate links' "
                              "measured",
                              folder, strerror(errno));
    if (count > FILES_MOST)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "%s: %d files *" ENDING ": expected no more than %d", folder, count,
                                FILES_MOST);
    search.slot = nuce_allocate(ranks, sizeof *search.slot);
    search.tried = nuce_allocate(ranks, sizeof *search.tried);
    /* In the order of names: of equal times the last by name wins, for any order of the folder.
     * Names are freed also after an error. */
    for (int k = 0; k < count; k++) {
        if (status == NUCE_OK)
            status = measured_look_at(&search, names[k]->d_name, error);
        free(names[k]);
    }
    free(names);
    if (status == NUCE_OK && search.path == NULL)
        status = report_none(&search, error);
    if (status == NUCE_OK)
        status = nuce_network_parse(search.path, search.text, search.length, 0, &whole, error);
    if (status == NUCE_OK)
        status = nuce_network_pick(&whole, search.slot, ranks, out, error);
    if (status == NUCE_OK) {
        *path_out = search.path;
        search.path = NULL;
    }
    nuce_network_fini(&whole);
    free(search.path);
    free(search.text);
    free(search.slot);
    free(search.tried);
    return status;
}
