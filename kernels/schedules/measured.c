/* Finds the network that was measured last on the hosts of a program, among the files of a folder.
 * Only where and when a file was measured is read of all of them; the one chosen is read whole.
 *
 * Cost: every file is read from the disk, but of all its ranks^2 lines only a word each is looked
 * at; hosts are compared with hosts, O(ranks of the file x our ranks) a file that is newer than the
 * best so far. One process does this: rank 0 sends the network to the others
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

/* Every one is read: a folder with more is not one of networks. */
#define FILES_MOST 4096

#define ENDING ".network"

/* The hosts of a message: no more than this many characters of them. */
#define HOSTS_SHOWN 200

/* The best file so far, and what was wrong with others. slot and tried change places where a file
 * becomes the best, so that neither is copied. */
struct measured_search {
    const char *folder;
    const char *const *hosts;
    int ranks;
    char *path; /* of the best so far, or NULL */
    char *text; /* its content */
    size_t length;
    char measured[NUCE_TIME_BYTES];
    int *slot;                   /* ranks: which rank of that file each of ours is */
    int *tried;                  /* ranks: the same of the file that is looked at */
    int passed_over;             /* files */
    struct nuce_error complaint; /* about the first of them */
};

/* scandir's filter: hidden files, which may be half written, are left out. */
static int is_network(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && nuce_text_ends(entry->d_name, ENDING);
}

/* Whether network was measured on our hosts, no earlier than the best so far; where, in tried. */
static int measured_covers(const struct measured_search *search, const struct nuce_network *network)
{
    unsigned char *taken;
    int covers = network->host != NULL;

    if (network->measured[0] == '\0' ||
        (search->path != NULL && strcmp(network->measured, search->measured) < 0))
        return 0;
    taken = nuce_allocate(network->ranks, 1);
    for (int i = 0; i < search->ranks && covers; i++) {
        int k = 0; /* the first rank on that host that is not taken */

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

/* Takes the file over as the best so far if it is. One that cannot be read is passed over and the
 * first of them complained about if none fits: a broken file is not to hide a good one. */
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

/* Says what the user can do about it: where was looked, for which hosts, with commas between them,
 * each once in a row of equal ones, and how such a file is made. */
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
    /* In the order of names, so that of equal times the last by name wins whatever order the folder
     * has. Names are freed also behind an error. */
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
