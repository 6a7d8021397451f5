/* The lines of a NETWORK FILE that tell of nodes and groups, and what follows from them for pairs.
 *
 * Nodes and groups are told in any order, rank by rank or by blocks, and their number is known at
 * the end alone: until then the arrays of the tiers have one entry a rank, for there cannot be more
 * nodes than ranks nor groups than nodes. What was told is then checked as a whole: none left
 * out. */
#include "schedules/network_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "schedules/network.h"

/* The tiers of as many nodes as there are ranks, on first use; no rank has a node yet. */
static nuce_status want_tiers(struct nuce_network_file *file, struct nuce_error *error)
{
    struct nuce_network *network = &file->network;

    (void)error;
    if (network->tiers.nodes > 0)
        return NUCE_OK;
    nuce_network_allocate_tiers(network, network->ranks);
    for (int i = 0; i < network->ranks; i++)
        network->tiers.node_of[i] = -1;
    return NUCE_OK;
}

/* The groups of as many, on first use; no node has one yet. */
static nuce_status want_groups(struct nuce_network_file *file, struct nuce_error *error)
{
    struct nuce_network *network = &file->network;

    want_tiers(file, error);
    if (network->tiers.groups > 0)
        return NUCE_OK;
    nuce_network_allocate_groups(network, network->ranks);
    for (int n = 0; n < network->ranks; n++)
        network->tiers.group_of[n] = -1;
    return NUCE_OK;
}

/* What a rank, or a node, is on. want makes the arrays; of points to the one that the line
 * fills. */
struct membership {
    const char *member, *owner, *line; /* in messages */
    nuce_status (*want)(struct nuce_network_file *, struct nuce_error *);
    int **of;
};

/* *most: the highest so far that a line is about alone; NULL: nobody asks. `all` tells of no number
 * in particular: it must not make there be as many nodes as ranks. */
static void note_alone(int first, int end, int *most)
{
    if (most != NULL && end == first + 1 && first > *most)
        *most = first;
}

/* A line of one member, or all. */
static nuce_status read_member(struct nuce_scanner *scanner, struct nuce_network_file *file,
                               const struct membership *m, int *most, struct nuce_error *error)
{
    int first = 0, end = 0;
    int64_t owner = 0;

    if (nuce_network_file_which(scanner, m->member, file, file->network.ranks, &first, &end,
                                error) != NUCE_OK ||
        nuce_scanner_integer(scanner, m->owner, 0, file->network.ranks - 1, &owner, error) !=
            NUCE_OK ||
        nuce_scanner_line_end(scanner, m->line, error) != NUCE_OK ||
        m->want(file, error) != NUCE_OK)
        return error->status;
    for (int i = first; i < end; i++)
        (*m->of)[i] = nuce_int(owner);
    note_alone(first, end, most);
    return NUCE_OK;
}

/* A line that puts so many on each, one after the other. */
static nuce_status read_blocks(struct nuce_scanner *scanner, struct nuce_network_file *file,
                               const struct membership *m, struct nuce_error *error)
{
    int64_t size = 0;

    if (nuce_scanner_integer(scanner, m->member, 1, NUCE_NETWORK_MAX_RANKS, &size, error) !=
            NUCE_OK ||
        nuce_scanner_line_end(scanner, m->line, error) != NUCE_OK ||
        m->want(file, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < file->network.ranks; i++)
        (*m->of)[i] = (int)(i / size);
    return NUCE_OK;
}

nuce_status nuce_network_file_on(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                 struct nuce_error *error)
{
    const struct membership line = {"the rank on a node", "its node", "a rank's node", want_tiers,
                                    &file->network.tiers.node_of};

    return read_member(scanner, file, &line, NULL, error);
}

nuce_status nuce_network_file_under(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                    struct nuce_error *error)
{
    const struct membership line = {"the node of a group", "its group", "a node's group",
                                    want_groups, &file->network.tiers.group_of};

    return read_member(scanner, file, &line, &file->most_node, error);
}

nuce_status nuce_network_file_block(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                    struct nuce_error *error)
{
    const struct membership line = {"the ranks of each node", NULL, "the ranks of each node",
                                    want_tiers, &file->network.tiers.node_of};

    return read_blocks(scanner, file, &line, error);
}

nuce_status nuce_network_file_group(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                    struct nuce_error *error)
{
    const struct membership line = {"the nodes of each group", NULL, "the nodes of each group",
                                    want_groups, &file->network.tiers.group_of};

    return read_blocks(scanner, file, &line, error);
}

/* What leaves and reaches one, or all. */
static nuce_status read_way(struct nuce_scanner *scanner, struct nuce_network_file *file,
                            const struct membership *m, double **outs, double **ins, int *most,
                            struct nuce_error *error)
{
    double out = 0, in = 0;
    int first = 0, end = 0;

    if (nuce_network_file_which(scanner, m->owner, file, file->network.ranks, &first, &end,
                                error) != NUCE_OK ||
        nuce_network_file_capacities(scanner, m->line, &out, &in, error) != NUCE_OK ||
        m->want(file, error) != NUCE_OK)
        return error->status;
    note_alone(first, end, most);
    for (int n = first; n < end; n++) {
        (*outs)[n] = out;
        (*ins)[n] = in;
    }
    return NUCE_OK;
}

nuce_status nuce_network_file_rail(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                   struct nuce_error *error)
{
    const struct membership line = {NULL, "the rank of a rail", "a rail", want_tiers, NULL};

    return read_way(scanner, file, &line, &file->network.tiers.rail_out,
                    &file->network.tiers.rail_in, NULL, error);
}

nuce_status nuce_network_file_inside(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                     struct nuce_error *error)
{
    const struct membership line = {NULL, "the rank of an inside", "an inside", want_tiers, NULL};

    return read_way(scanner, file, &line, &file->network.tiers.inside_out,
                    &file->network.tiers.inside_in, NULL, error);
}

nuce_status nuce_network_file_node(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                   struct nuce_error *error)
{
    const struct membership line = {NULL, "the number of a node", "a node", want_tiers, NULL};

    return read_way(scanner, file, &line, &file->network.tiers.node_out,
                    &file->network.tiers.node_in, &file->most_node, error);
}

nuce_status nuce_network_file_uplink(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                     struct nuce_error *error)
{
    const struct membership line = {NULL, "the group of an uplink", "an uplink", want_groups, NULL};

    return read_way(scanner, file, &line, &file->network.tiers.uplink_out,
                    &file->network.tiers.uplink_in, &file->most_group, error);
}

/* out->is_given is looked at behind the numbers, so that a line that is wrong in itself is told
 * first. */
static nuce_status read_cost(struct nuce_scanner *scanner, const char *of,
                             struct nuce_network_cost *out, struct nuce_error *error)
{
    const char *place = scanner->at;
    struct nuce_network_cost cost = {.is_given = 1};

    if (nuce_network_file_quantity(scanner, "the startup in seconds", 0, &cost.startup, error) !=
            NUCE_OK ||
        nuce_network_file_quantity(scanner, "the bandwidth in bytes per second", 1, &cost.bandwidth,
                                   error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, of, error) != NUCE_OK)
        return error->status;
    if (out->is_given)
        return nuce_scanner_fail(scanner, place, error, "a second line of %s", of);
    *out = cost;
    return NUCE_OK;
}

nuce_status nuce_network_file_within(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                     struct nuce_error *error)
{
    return read_cost(scanner, "the pairs within a node", &file->within, error);
}

nuce_status nuce_network_file_between(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                      struct nuce_error *error)
{
    return read_cost(scanner, "the pairs between nodes", &file->between, error);
}

/* What belongs to what, as messages have it. */
struct belonging {
    const char *member, *is, *owner, *line, *capital, *blocks;
};

/* Every member belongs to an owner of at most `owners`, and every owner, to the highest that is
 * told of, has a member; *most becomes the highest. */
static nuce_status check_members(const struct belonging *b, const int *of, int members, int owners,
                                 int *most, const char *name, struct nuce_error *error)
{
    int *count = nuce_allocate(owners, sizeof *count);
    int next = 0, empty = 0;

    for (; next < members && of[next] >= 0; next++) {
        count[of[next]]++;
        *most = of[next] > *most ? of[next] : *most;
    }
    while (empty <= *most && count[empty] > 0)
        empty++;
    free(count);
    if (next < members)
        return nuce_error_set(
            error, NUCE_BAD_INPUT, "%s: %s %d is %s no %s: expected a line '%s %d %s', or '%s K'",
            name, b->member, next, b->is, b->owner, b->line, next, b->capital, b->blocks);
    if (empty <= *most)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: no %s is %s %s %d: expected %ss from 0 on, none left out", name,
                              b->member, b->is, b->owner, empty, b->owner);
    return NUCE_OK;
}

/* The numbers of nodes and groups become what they are. */
static nuce_status check_tiers(const char *name, struct nuce_network_file *file,
                               struct nuce_error *error)
{
    static const struct belonging nodes = {"rank", "on", "node", "on", "NODE", "block"};
    static const struct belonging groups = {"node", "in", "group", "under", "GROUP", "group"};
    struct nuce_tiers *tiers = &file->network.tiers;
    int ranks = file->network.ranks;

    if (tiers->nodes == 0)
        return NUCE_OK;
    if (check_members(&nodes, tiers->node_of, ranks, ranks, &file->most_node, name, error) !=
        NUCE_OK)
        return error->status;
    tiers->nodes = file->most_node + 1;
    if (tiers->groups == 0)
        return NUCE_OK;
    if (check_members(&groups, tiers->group_of, tiers->nodes, ranks, &file->most_group, name,
                      error) != NUCE_OK)
        return error->status;
    tiers->groups = file->most_group + 1;
    return NUCE_OK;
}

/* What a pair without a line of its own costs; NULL: not told. */
static const struct nuce_network_cost *cost_of_pair(const struct nuce_network_file *file, int i,
                                                    int j)
{
    const struct nuce_network_cost *cost =
        nuce_network_node(&file->network, i) == nuce_network_node(&file->network, j)
            ? &file->within
            : &file->between;

    return cost->is_given ? cost : NULL;
}

nuce_status nuce_network_file_end(const char *name, struct nuce_network_file *file,
                                  struct nuce_error *error)
{
    struct nuce_network *network = &file->network;

    if (file->within.is_given && network->tiers.nodes == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: 'within', and no nodes: expected lines 'on RANK NODE', or "
                              "'block K'",
                              name);
    if (check_tiers(name, file, error) != NUCE_OK)
        return error->status;
    /* All pairs are those of `between`: no nodes, and no line of any pair. */
    if (!file->has_pairs && file->between.is_given && network->tiers.nodes == 0) {
        network->startup = file->between.startup;
        network->bandwidth = file->between.bandwidth;
        return NUCE_OK;
    }
    if (!file->has_pairs && nuce_network_allocate_pairs(network, error) != NUCE_OK)
        return error->status;
    /* Pairs with a line keep what it says; a bandwidth of 0 marks the others. */
    for (int i = 0; i < network->ranks; i++) {
        for (int j = 0; j < network->ranks; j++) {
            size_t pair = (size_t)i * (size_t)network->ranks + (size_t)j;
            const struct nuce_network_cost *cost = cost_of_pair(file, i, j);

            if (i == j || network->pair_bandwidth[pair] > 0)
                continue;
            if (cost == NULL)
                return nuce_error_set(error, NUCE_BAD_INPUT,
                                      "%s: no line for the pair %d %d: expected one for every "
                                      "ordered pair, or 'within' and 'between'",
                                      name, i, j);
            network->pair_startup[pair] = cost->startup;
            network->pair_bandwidth[pair] = cost->bandwidth;
        }
    }
    return NUCE_OK;
}

/* NETWORK FILES as text from which every value is read back exactly.
 *
 * Pairs are written out even where all are alike, ranks^2 lines: whoever reads the file by other
 * means finds every pair on a line of its own. */

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
