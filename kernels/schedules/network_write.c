/* NETWORK FILES as text from which every value is read back exactly.
 *
 * Pairs are written out even where all are alike, ranks^2 lines: whoever reads the file by other
 * means finds every pair on a line of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "schedules/network.h"

/* 17 digits give every double back; %g writes infinity as inf, which is how a port says so. */

/* In the order in which nuce_network_read can check each line: `ranks` first, contention
 * ascending. */
void nuce_network_print(const struct nuce_network *network, FILE *stream)
{
    fprintf(stream, "ranks %d\n", network->ranks);
    if (network->measured[0] != '\0')
        fprintf(stream, "measured %s\n", network->measured);
    for (int i = 0; i < network->contentions; i++)
        fprintf(stream, "contention %d %.17g\n", network->contention[i].partners,
                network->contention[i].relative);
    if (network->gap > 0)
        fprintf(stream, "gap %.17g\n", network->gap);
    for (int i = 0; i < network->ranks; i++) {
        if (network->host != NULL && network->host[i].name[0] != '\0')
            fprintf(stream, "host %d %s\n", i, network->host[i].name);
    }
    for (int i = 0; i < network->ranks && (network->out != NULL || network->in != NULL); i++)
        fprintf(stream, "port %d %.17g %.17g\n", i, nuce_network_port_out(network, i),
                nuce_network_port_in(network, i));
    for (int i = 0; i < network->ranks && network->tiers.nodes > 0; i++)
        fprintf(stream, "on %d %d\nrail %d %.17g %.17g\ninside %d %.17g %.17g\n", i,
                network->tiers.node_of[i], i, network->tiers.rail_out[i], network->tiers.rail_in[i],
                i, network->tiers.inside_out[i], network->tiers.inside_in[i]);
    for (int i = 0; i < network->tiers.nodes; i++)
        fprintf(stream, "node %d %.17g %.17g\n", i, network->tiers.node_out[i],
                network->tiers.node_in[i]);
    for (int i = 0; i < network->tiers.nodes && network->tiers.groups > 0; i++)
        fprintf(stream, "under %d %d\n", i, network->tiers.group_of[i]);
    for (int i = 0; i < network->tiers.groups; i++)
        fprintf(stream, "uplink %d %.17g %.17g\n", i, network->tiers.uplink_out[i],
                network->tiers.uplink_in[i]);
    for (int i = 0; i < network->ranks && network->speed != NULL; i++)
        fprintf(stream, "speed %d %.17g\n", i, network->speed[i]);
    for (int i = 0; i < network->ranks; i++) {
        for (int j = 0; j < network->ranks; j++) {
            if (i != j)
                fprintf(stream, "%d %d %.17g %.17g\n", i, j, nuce_network_startup(network, i, j),
                        nuce_network_bandwidth(network, i, j));
        }
    }
}

/* Written under another name first, then renamed. */
static nuce_status write_text(const char *path, const char *text, size_t length,
                              struct nuce_error *error)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    char *folder =
        slash == NULL ? nuce_text_format(".") : nuce_text_format("%.*s", (int)(slash - path), path);
    nuce_status status;

    status = nuce_safe_write(folder, name, text, length, error);
    free(folder);
    return status;
}

/* Into memory first: whether all was written is known before the file's name is. */
nuce_status nuce_network_write(const struct nuce_network *network, const char *path,
                               struct nuce_error *error)
{
    struct nuce_text_print print;
    nuce_status status = nuce_text_print_begin(&print, error);

    if (status == NUCE_OK)
        nuce_network_print(network, print.file);
    status = nuce_text_print_end(&print, status, error);
    if (status == NUCE_OK)
        status = write_text(path, print.text, print.length, error);
    free(print.text);
    return status;
}
